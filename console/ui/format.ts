import { language } from "#texts/language.ts";
import { uiTexts as texts } from "#texts/ui.ts";
import { locale } from "./locale.ts";

const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
const exact = new Intl.NumberFormat(locale);
// In German, the narrow "in 5 m" could be metres.
const relative = new Intl.RelativeTimeFormat(locale, { style: language === "en" ? "narrow" : "short" });
const inFull = new Intl.RelativeTimeFormat(locale);
const days = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
const absolute = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });

/** 1,234 stays exact; what is longer is rounded. */
export const formatCount = (count: number): string => (count < 10_000 ? exact : compact).format(count);

export const formatExact = (count: number): string => exact.format(count);

const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });

export const formatDay = (instant: string): string => day.format(new Date(instant));

const dayOfYear = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" });
const monthOfYear = new Intl.DateTimeFormat(locale, { month: "short", year: "numeric" });

// Shorter than a year, so that no day could be one of two.
const DAY_NAMED_MS_MAX = 300 * 24 * 60 * 60 * 1000;

/** For a narrow place: a day of the next months, as in "Dec 3", or a month further away. */
export function formatShortDay(instant: string, now = new Date()): string {
  const date = new Date(instant);
  return (Math.abs(date.getTime() - now.getTime()) < DAY_NAMED_MS_MAX ? dayOfYear : monthOfYear).format(date);
}

export const formatInstant = (instant: string): string => absolute.format(new Date(instant));

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

interface Step {
  readonly unit: Intl.RelativeTimeFormatUnit;
  readonly seconds: number;
  /** How long a time has to be to be said in it. */
  readonly from: number;
}

const step = (unit: Step["unit"], seconds: number, from = seconds): Step => ({ unit, seconds, from });

// One month could be almost two, so weeks are counted until there are three.
const steps: readonly Step[] = [
  step("year", 365 * DAY),
  step("month", 30 * DAY, 90 * DAY),
  step("week", 7 * DAY, 30 * DAY),
  step("day", DAY),
  step("hour", 60 * MINUTE),
  step("minute", MINUTE),
];

/** As in "3 days ago" or "in 2 hours", in the fewest letters. */
export const formatAgo = (instant: string, now = Date.now()): string => formatDistance(relative, instant, now);

/** The same for a sentence, where letters aren't counted. */
export const formatAgoInFull = (instant: string, now = Date.now()): string => formatDistance(inFull, instant, now);

function formatDistance(format: Intl.RelativeTimeFormat, instant: string, now: number): string {
  const seconds = (Date.parse(instant) - now) / 1000;
  const found = steps.find(({ from }) => Math.abs(seconds) >= from);
  if (!found) return seconds > 0 ? texts.inAMoment : texts.justNow;
  const count = Math.trunc(seconds / found.seconds);
  // "yesterday" is a word; "last mo." is not.
  return (found.unit === "day" && Math.abs(count) === 1 ? days : format).format(count, found.unit);
}

/** Without what every address has. */
export const formatAddress = (url: string): string => url.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");

const enumeration = new Intl.ListFormat(locale);

/** As in "the destination, the tags, and the title". */
export const enumerate = (items: readonly string[]): string => enumeration.format(items);

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatExact(count)} ${count === 1 ? one : many}`;
