import { UsageError } from "./exit-codes.ts";

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const DURATION = /^(\d{1,5})([mhdw])$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** A time to come, as people write it: `90m`, `12h`, `7d`, `4w`, a date, a date with time, or `never`. */
export function readExpiry(text: string, nowMs = Date.now()): string | null {
  if (text === "never") return null;
  const instant = readInstant(text, nowMs, 1);
  if (instant !== undefined) return instant;
  throw new UsageError(
    `--expires must be a duration such as 12h or 7d, a date such as 2027-01-31, or never, not ${JSON.stringify(text)}`,
  );
}

/** A time in the past, written the same way: `7d` is seven days ago. */
export function readPast(name: string, text: string, nowMs = Date.now()): string {
  const instant = readInstant(text, nowMs, -1);
  if (instant !== undefined) return instant;
  throw new UsageError(
    `--${name} must be a duration such as 12h or 7d, or a date such as 2027-01-31, not ${JSON.stringify(text)}`,
  );
}

function readInstant(text: string, nowMs: number, sign: 1 | -1): string | undefined {
  const [, amount = "", unit = ""] = DURATION.exec(text) ?? [];
  if (unit !== "") {
    return new Date(nowMs + sign * Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS]).toISOString();
  }
  if (!INSTANT.test(text) || !isDay(text.slice(0, 10))) return undefined;
  // Without a zone, a time is that of this machine, and a date is its midnight.
  const atMs = Date.parse(text.includes("T") ? text : `${text}T00:00`);
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString();
}

/** Node 20 takes February 30 for March 2. */
function isDay(date: string): boolean {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const found = new Date(Date.UTC(year, month - 1, day));
  return found.getUTCMonth() === month - 1 && found.getUTCDate() === day;
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
