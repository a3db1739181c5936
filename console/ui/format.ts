import { language } from "#texts/language.ts";
import { uiTexts as texts } from "#texts/ui.ts";
import { locale } from "./locale.ts";

const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
const exact = new Intl.NumberFormat(locale);
// In German, the narrow "in 5 m" could be metres.
const relative = new Intl.RelativeTimeFormat(locale, { style: language === "en" ? "narrow" : "short" });
const days = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
const absolute = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });

/** 1,234 stays exact; what is longer is rounded. */
export const formatCount = (count: number): string => (count < 10_000 ? exact : compact).format(count);

export const formatExact = (count: number): string => exact.format(count);

const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });

export const formatDay = (instant: string): string => day.format(new Date(instant));

export const formatInstant = (instant: string): string => absolute.format(new Date(instant));

const MINUTE = 60;
const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 365 * 24 * 60 * MINUTE],
  ["month", 30 * 24 * 60 * MINUTE],
  ["day", 24 * 60 * MINUTE],
  ["hour", 60 * MINUTE],
  ["minute", MINUTE],
];

/** As in "3 days ago" or "in 2 hours". */
export function formatAgo(instant: string, now = Date.now()): string {
  const seconds = (Date.parse(instant) - now) / 1000;
  const step = steps.find(([, length]) => Math.abs(seconds) >= length);
  if (!step) return seconds > 0 ? texts.inAMoment : texts.justNow;
  const [unit, length] = step;
  const count = Math.trunc(seconds / length);
  // "yesterday" is a word; "last mo." is not.
  return (unit === "day" && Math.abs(count) === 1 ? days : relative).format(count, unit);
}

/** Without what every address has. */
export const formatAddress = (url: string): string => url.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatExact(count)} ${count === 1 ? one : many}`;
