import { uiTexts as texts } from "#texts/ui.ts";
import { CopyButton } from "./copy-button.tsx";
import { ScrollBox } from "./scroll-box.tsx";

interface CodeBlockProps {
  readonly label: string;
  readonly code: string;
}

/** Text in the letters of a terminal, to be read and copied; never anything but text. */
export const CodeBlock = ({ label, code }: CodeBlockProps) => (
  <div className="relative min-w-0">
    <ScrollBox label={label} className="max-h-96">
      <pre className="min-w-max p-4 pr-14 font-mono text-[0.8125rem] leading-6">{code}</pre>
    </ScrollBox>
    <div className="absolute top-1.5 right-1.5 rounded-lg bg-sunken">
      <CopyButton text={code} label={texts.copyWhat(label)} />
    </div>
  </div>
);
