import { Check, Copy } from "lucide-react";
import { useRef, useState } from "react";
import { uiTexts as texts } from "#texts/ui.ts";
import { Button, type ButtonLook } from "./button.tsx";
import { copyText } from "./copy.ts";

const SHOWN_MS = 1500;

/** Copies a text, and whether it has just done so. */
export function useCopy(text: string): readonly [copied: boolean, copy: () => Promise<void>] {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  async function copy(): Promise<void> {
    if (!(await copyText(text))) return;
    setCopied(true);
    // A second click starts the time again.
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), SHOWN_MS);
  }
  return [copied, copy];
}

interface CopyButtonProps extends ButtonLook {
  readonly text: string;
  /** What is copied, for those who cannot see the picture. */
  readonly label: string;
  readonly children?: string;
}

export function CopyButton({ text, label, look = "quiet", size = "icon", children }: CopyButtonProps) {
  const [copied, copy] = useCopy(text);
  const Icon = copied ? Check : Copy;
  return (
    <Button look={look} size={size} aria-label={copied ? texts.copiedWhat(label) : label} onClick={copy}>
      <Icon className={copied ? "size-4 text-good" : "size-4"} aria-hidden />
      {children && (copied ? texts.copied : children)}
    </Button>
  );
}
