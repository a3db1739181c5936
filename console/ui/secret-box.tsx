import { useId } from "react";
import { uiTexts as texts } from "#texts/ui.ts";
import { CopyButton } from "./copy-button.tsx";

interface SecretBoxProps {
  readonly label: string;
  /** What the button to copy it copies; the label, if it is a noun. */
  readonly what?: string;
  readonly value: string;
  /** What was asked for has come: it takes the place of the form, and the focus. */
  readonly isResult?: boolean;
}

/** A value that is shown this once. A click selects the whole of it. */
export function SecretBox({ label, what = label, value, isResult = false }: SecretBoxProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <div className="flex items-center gap-2">
        <input
          id={id}
          readOnly
          value={value}
          autoComplete="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the form that had the focus is gone, and this is what came of it
          autoFocus={isResult}
          onFocus={(event) => event.currentTarget.select()}
          className="h-control w-full min-w-0 rounded-lg border border-line-strong bg-sunken px-3 font-mono text-sm"
        />
        <CopyButton text={value} label={texts.copyLabelled(what)} look="primary" size="normal">
          {texts.copy}
        </CopyButton>
      </div>
    </div>
  );
}
