import { useId, useState } from "react";
import { TextField } from "#console/ui/field.tsx";
import { reportTexts } from "#texts/reports.ts";
import { useReportScope } from "./report-context.tsx";
import { isTimeZone, listTimeZones, readTimeZone, storeTimeZone } from "./time-zone.ts";

const texts = reportTexts.options;

/** Any zone by name, with the known ones offered; it is kept for the next report. */
export function TimeZoneField() {
  const { search, show } = useReportScope();
  const listId = useId();
  const zone = search.timezone ?? readTimeZone();
  const [text, setText] = useState(zone);

  function change(next: string): void {
    setText(next);
    if (!isTimeZone(next) || next === zone) return;
    storeTimeZone(next);
    show((before) => ({ ...before, timezone: next }));
  }

  return (
    <>
      <TextField
        label={texts.timeZone}
        list={listId}
        value={text}
        spellCheck={false}
        autoComplete="off"
        error={isTimeZone(text) ? undefined : texts.noTimeZone}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => change(event.target.value)}
      />
      <datalist id={listId}>
        {listTimeZones().map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
