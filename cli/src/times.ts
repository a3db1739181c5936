import { UsageError } from "./exit-codes.ts";

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const DURATION = /^(\d{1,5})([mhdw])$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** A time to come, as people write it: `90m`, `12h`, `7d`, `4w`, a date, a date with time, or `never`. */
export function readExpiry(text: string, nowMs = Date.now()): string | null {
  if (text === "never") return null;
  const [, amount = "", unit = ""] = DURATION.exec(text) ?? [];
  if (unit !== "") return new Date(nowMs + Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS]).toISOString();
  // Without a zone, a time is that of this machine, and a date is its midnight.
  const atMs = INSTANT.test(text) ? Date.parse(text.includes("T") ? text : `${text}T00:00`) : Number.NaN;
  if (Number.isNaN(atMs)) {
    throw new UsageError(
      `--expires must be a duration such as 12h or 7d, a date such as 2027-01-31, or never, not ${JSON.stringify(text)}`,
    );
  }
  return new Date(atMs).toISOString();
}

/** A time for people: `2026-11-18 15:04`. */
export function showTime(instant: string | null, timeZone: string): string {
  if (instant === null) return "";
  const parts = new Intl.DateTimeFormat("en-CA", {
    ...{ timeZone, year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  }).formatToParts(new Date(instant));
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")} ${part("hour")}:${part("minute")}`;
}
