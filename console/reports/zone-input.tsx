import { type ReactNode, useId } from "react";
import { TextField } from "#console/ui/field.tsx";
import { reportTexts } from "#texts/reports.ts";
import { isTimeZone, listTimeZones } from "./time-zone.ts";

const texts = reportTexts.options;

interface ZoneInputProps {
  /** As typed: it may be no zone yet. */
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly hint?: ReactNode;
  /** What else is wrong with it. */
  readonly error?: ReactNode;
}

/** Any zone by name, with the known ones offered. */
export function ZoneInput({ value, onChange, hint, error }: ZoneInputProps) {
  const listId = useId();
  return (
    <>
      <TextField
        label={texts.timeZone}
        hint={hint}
        list={listId}
        value={value}
        spellCheck={false}
        autoComplete="off"
        error={isTimeZone(value) ? error : texts.noTimeZone}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={listId}>
        {listTimeZones().map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
