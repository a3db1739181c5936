import { useEffect, useState } from "react";
import { Field } from "#console/ui/field.tsx";
import { qrTexts as texts } from "#texts/qr.ts";
import { mayBecomeHex, readHex } from "./read-hex.ts";

interface ColourFieldProps {
  readonly label: string;
  /** Six hex digits. */
  readonly value: string;
  readonly onChange: (colour: string) => void;
  /** Whether something else than a colour stands in it. */
  readonly onWrong: (isWrong: boolean) => void;
}

interface Draft {
  readonly text: string;
  readonly isLeft: boolean;
}

/** A colour to pick, or to type or paste, as a brand's is known by its digits. */
export function ColourField({ label, value, onChange, onWrong }: ColourFieldProps) {
  // What is being typed, which is no colour until it is complete.
  const [draft, setDraft] = useState<Draft | null>(null);
  const isWrong = draft !== null && readHex(draft.text) === undefined && (draft.isLeft || !mayBecomeHex(draft.text));
  useEffect(() => onWrong(isWrong), [onWrong, isWrong]);
  function type(text: string): void {
    const colour = readHex(text);
    setDraft({ text, isLeft: false });
    if (colour !== undefined) onChange(colour);
  }
  function leave(): void {
    setDraft(draft && readHex(draft.text) === undefined ? { ...draft, isLeft: true } : null);
  }
  return (
    <Field label={label} error={isWrong && texts.wrongColor}>
      {(props) => (
        <span className="flex h-control items-center gap-2 rounded-lg border border-line-strong bg-card px-2 outline-accent has-aria-invalid:border-bad hover:border-faint has-[input[type=text]:focus-visible]:outline-2 has-[input[type=text]:focus-visible]:outline-offset-2">
          <input
            type="color"
            aria-label={texts.pick(label)}
            value={`#${value}`}
            onChange={(event) => {
              setDraft(null);
              onChange(event.target.value.slice(1));
            }}
            className="size-6 shrink-0 cursor-pointer rounded border-0 bg-transparent p-0"
          />
          <input
            {...props}
            type="text"
            spellCheck={false}
            autoComplete="off"
            value={draft?.text ?? `#${value}`}
            onChange={(event) => type(event.target.value)}
            onBlur={leave}
            className="h-full w-full min-w-0 bg-transparent font-mono text-sm text-soft outline-none"
          />
        </span>
      )}
    </Field>
  );
}
