import { useState } from "react";
import { Field } from "#console/ui/field.tsx";
import { qrTexts as texts } from "#texts/qr.ts";
import { readHex } from "./read-hex.ts";

interface ColourFieldProps {
  readonly label: string;
  /** Six hex digits. */
  readonly value: string;
  readonly onChange: (colour: string) => void;
}

/** A colour to pick, or to type or paste, as a brand's is known by its digits. */
export function ColourField({ label, value, onChange }: ColourFieldProps) {
  // What is being typed, which is no colour until it is complete.
  const [draft, setDraft] = useState<string | null>(null);
  function type(text: string): void {
    setDraft(text);
    const colour = readHex(text);
    if (colour !== undefined) onChange(colour);
  }
  return (
    <Field label={label}>
      {(props) => (
        <span className="flex h-control items-center gap-2 rounded-lg border border-line-strong bg-card px-2 outline-accent hover:border-faint has-[input[type=text]:focus-visible]:outline-2 has-[input[type=text]:focus-visible]:outline-offset-2">
          <input
            type="color"
            aria-label={texts.pick(label)}
            value={`#${value}`}
            onChange={(event) => onChange(event.target.value.slice(1))}
            className="size-6 shrink-0 cursor-pointer rounded border-0 bg-transparent p-0"
          />
          <input
            {...props}
            type="text"
            spellCheck={false}
            autoComplete="off"
            value={draft ?? `#${value}`}
            onChange={(event) => type(event.target.value)}
            onBlur={() => setDraft(null)}
            className="h-full w-full min-w-0 bg-transparent font-mono text-sm text-soft outline-none"
          />
        </span>
      )}
    </Field>
  );
}
