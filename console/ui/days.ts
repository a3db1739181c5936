import { locale } from "./locale.ts";

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Days of the calendar as `2026-01-31`; `to` is the first that is no longer meant, as in the API. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** `2026-01-31` → `2026-02-01`, whatever the zone. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

export const isDay = (text: string): boolean =>
  DAY.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) && addDays(text, 0) === text;

/** What an address says, if it is a range. */
export function readDayRange({ from, to }: { readonly from?: unknown; readonly to?: unknown }): DayRange | undefined {
  if (typeof from !== "string" || typeof to !== "string") return undefined;
  return isDay(from) && isDay(to) && from < to ? { from, to } : undefined;
}

// Making a formatter takes a hundred times as long as using it, and a page that is drawn asks for many days.
const formatters = new Map<string, Intl.DateTimeFormat>();

function makeFormatter(timezone: string): Intl.DateTimeFormat {
  const digits = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const made = new Intl.DateTimeFormat("en", { timeZone: timezone, ...digits });
  formatters.set(timezone, made);
  return made;
}

/** The day that it is in a zone at an instant. */
export function dayIn(timezone: string, instant: string | number = Date.now()): string {
  const formatter = formatters.get(timezone) ?? makeFormatter(timezone);
  const found = Object.fromEntries(formatter.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]));
  return `${found.year}-${found.month}-${found.day}`;
}

/** The same day of another month, or the last one of a shorter month: `2026-03-31`, one month back, → `2026-02-28`. */
export function addMonths(day: string, months: number): string {
  const date = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  const first = date.toISOString().slice(0, 10);
  const sameDay = `${first.slice(0, 7)}${day.slice(7)}`;
  return isDay(sameDay) ? sameDay : addDays(addMonths(first, 1), -1);
}

/** The calendar month before that of a day. */
export function monthBefore(day: string): DayRange {
  const to = `${day.slice(0, 7)}-01`;
  return { from: `${addDays(to, -1).slice(0, 7)}-01`, to };
}

const ZONE_KEPT_MS = 1000;
let zone = { name: "UTC", readAt: Number.NEGATIVE_INFINITY };

/** The browser's own zone. Reading it is slow; kept for a moment, it still follows a traveller. */
export function localZone(): string {
  const now = performance.now();
  if (now - zone.readAt > ZONE_KEPT_MS) {
    zone = { name: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC", readAt: now };
  }
  return zone.name;
}

const written = new Intl.DateTimeFormat(locale, { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" });

/** By the first and the last day, as people name them. */
export const formatDays = ({ from, to }: DayRange): string =>
  written.formatRange(Date.parse(from), Date.parse(addDays(to, -1)));
