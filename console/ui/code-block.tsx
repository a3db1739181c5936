import { uiTexts as texts } from "#texts/ui.ts";
import { CopyButton } from "./copy-button.tsx";
import { ScrollBox } from "./scroll-box.tsx";

interface CodeBlockProps {
  readonly label: string;
  readonly code: string;
}

/** Text in the letters of a terminal, to be read and copied; never anything but text. */
export const CodeBlock = ({ label, code }: CodeBlockProps) => (
  <div className="flex min-w-0 items-start rounded-xl border border-line bg-sunken">
    <ScrollBox label={label} className="max-h-96 min-w-0 grow border-none">
      <pre className="min-w-max p-4 font-mono text-[0.8125rem] leading-6">{code}</pre>
    </ScrollBox>
    {/* Beside the code: over it, it would cover what a narrow screen shows of the first line. */}
    <div className="self-stretch border-l border-line p-1.5">
      <CopyButton text={code} label={texts.copyWhat(label)} />
    </div>
  </div>
);
