import { useState } from "react";
import { useReportScope } from "./report-context.tsx";
import { isTimeZone, readTimeZone, storeTimeZone } from "./time-zone.ts";
import { ZoneInput } from "./zone-input.tsx";

/** The zone of the report, kept for the next one. */
export function TimeZoneField() {
  const { search, show } = useReportScope();
  const zone = search.timezone ?? readTimeZone();
  const [text, setText] = useState(zone);

  function change(next: string): void {
    setText(next);
    if (!isTimeZone(next) || next === zone) return;
    storeTimeZone(next);
    show((before) => ({ ...before, timezone: next }));
  }

  return <ZoneInput value={text} onChange={change} />;
}
