import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button, type ButtonLook } from "./button.tsx";
import { toast } from "./toast.tsx";

interface CopyButtonProps extends ButtonLook {
  readonly text: string;
  /** What is copied, for those who cannot see the picture. */
  readonly label: string;
  readonly children?: string;
}

const SHOWN_MS = 1500;

export function CopyButton({ text, label, look = "quiet", size = "icon", children }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      toast("Your browser does not let this page copy. Select the text instead.", { tone: "bad" });
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  }
  const Icon = copied ? Check : Copy;
  return (
    <Button look={look} size={size} aria-label={copied ? `${label}: copied` : label} onClick={copy}>
      <Icon className={copied ? "size-4 text-good" : "size-4"} aria-hidden />
      {children && (copied ? "Copied" : children)}
    </Button>
  );
}
