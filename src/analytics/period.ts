import type { AnalyticsQuery, Granularity } from "#contract/analytics.ts";
import type { FieldCode, FieldError } from "#contract/errors.ts";
import type { UtcOffset } from "#engines/clicks/clicks-engine.ts";
import { validationFailed } from "#kernel/api-error.ts";
import { findTimeZone, type TimeZone } from "#shared/time-zone.ts";
import { findBucketStarts, findDateStart, findOffsets } from "./bucket-starts.ts";
import { parseInstant } from "./parse-instant.ts";

export const BUCKETS_MAX = 1000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
// Wide enough for any calendar, and well within what a timestamp can represent.
const INSTANT_MS_MIN = Date.UTC(1000, 0);
const INSTANT_MS_MAX = Date.UTC(9999, 0);
// About as many months as there may be buckets. Clicks beyond that (from a very wrong clock) are in no report.
const YEARS_OF_ALL_MAX = 80;

export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
  readonly timezone: string;
  readonly granularity: Granularity;
  /** Bucket starts in order; the first may be before `fromMs`. */
  readonly bucketStartsMs: readonly number[];
}

export type PeriodQuery = Pick<AnalyticsQuery, "interval" | "from" | "to" | "timezone" | "granularity">;

export interface Moments {
  readonly nowMs: number;
  /** When the link or account was created: the start of `all`. */
  readonly createdMs: number;
  /**
   * The range of clicks before that or in the future: imported ones, as today's count may have a moment that is still to
   * come, and those recorded while a clock was wrong.
   */
  readonly strays?: Range | null;
}

export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Resolves a report's time parameters; throws `validation_failed` with all problems. */
export function resolvePeriod(query: PeriodQuery, moments: Moments): Period {
  const found = judgePeriod(query, moments);
  if (Array.isArray(found)) throw validationFailed(found);
  return found;
}

/** The range and its time zone, or all of their problems. */
export function judgeRange(query: PeriodQuery, moments: Moments): (Range & { readonly zone: TimeZone }) | FieldError[] {
  const problems: FieldError[] = [];
  const report = reporterInto(problems);
  const zone = findTimeZone(query.timezone);
  if (!zone) report("timezone", "invalid_timezone", "Must be an IANA time zone name, such as Europe/Berlin.");
  const range = findRange(query, zone ?? UTC, moments, report);
  return !zone || !range || problems.length > 0 ? problems : { ...range, zone };
}

/** The period, or all of its problems. */
export function judgePeriod(query: PeriodQuery, moments: Moments): Period | FieldError[] {
  const found = judgeRange(query, moments);
  if (Array.isArray(found)) return found;
  const { zone, ...range } = found;
  const problems: FieldError[] = [];
  const report = reporterInto(problems);
  const granularity = query.granularity ?? defaultGranularity(range, zone);
  const bucketStartsMs = findBucketStarts(zone, granularity, { ...range, most: BUCKETS_MAX });
  if (!bucketStartsMs) {
    const field = query.granularity ? "granularity" : query.interval ? "interval" : "from";
    report(field, "range_too_large", `The range has more than ${BUCKETS_MAX} buckets of one ${granularity}.`);
    return problems;
  }
  return { ...range, timezone: zone.name, granularity, bucketStartsMs };
}

/** The range of the same length right before. */
export const previousRange = ({ fromMs, toMs }: Range): Range => ({ fromMs: fromMs - (toMs - fromMs), toMs: fromMs });

/** The time zone's offsets during a period. */
export const offsetsOf = (period: Period): UtcOffset[] => findOffsets(findTimeZone(period.timezone) ?? UTC, period);

const UTC: TimeZone = { name: "UTC", offsetAt: () => 0 };

const reporterInto =
  (problems: FieldError[]): Report =>
  (field, code, message) => {
    problems.push({ location: "query", field, code, message });
  };

type Report = (field: keyof PeriodQuery, code: FieldCode, message: string) => void;

function findRange(query: PeriodQuery, zone: TimeZone, moments: Moments, report: Report): Range | undefined {
  const { interval, from, to } = query;
  if (interval !== undefined && (from !== undefined || to !== undefined)) {
    report("interval", "duplicate_parameter", "Use either `interval`, or `from` and `to`.");
    return undefined;
  }
  if (from === undefined && to === undefined) return intervalRange(interval ?? "30d", zone, moments);
  if (from === undefined) report("from", "required", "`to` requires `from`.");
  const fromMs = from === undefined ? undefined : readInstant("from", from, zone, report);
  const toMs = to === undefined ? moments.nowMs : readInstant("to", to, zone, report);
  if (fromMs === undefined || toMs === undefined) return undefined;
  if (fromMs > toMs) {
    report(
      to === undefined ? "from" : "to",
      "out_of_range",
      to === undefined ? "Must not be in the future." : "Must not be before `from`.",
    );
  }
  return { fromMs, toMs };
}

const FORMAT_MESSAGE =
  "Must be a date such as 2026-12-31 or an RFC 3339 timestamp. In a URL, write the plus sign of an offset as %2B.";

function readInstant(field: "from" | "to", text: string, zone: TimeZone, report: Report): number | undefined {
  const ms = parseInstant(text, zone);
  if (ms === undefined) report(field, "invalid_format", FORMAT_MESSAGE);
  else if (ms < INSTANT_MS_MIN || ms > INSTANT_MS_MAX) report(field, "out_of_range", "Too far from today.");
  return ms;
}

function intervalRange(interval: NonNullable<PeriodQuery["interval"]>, zone: TimeZone, moments: Moments): Range {
  const { nowMs } = moments;
  const local = new Date(nowMs + zone.offsetAt(nowMs));
  const since = (fromMs: number): Range => ({ fromMs: Math.min(fromMs, nowMs), toMs: nowMs });
  switch (interval) {
    case "24h":
      return since(nowMs - DAY_MS);
    case "7d":
      return since(nowMs - 7 * DAY_MS);
    case "30d":
      return since(nowMs - 30 * DAY_MS);
    case "90d":
      return since(nowMs - 90 * DAY_MS);
    case "1y":
      return since(addYears(nowMs, -1));
    case "mtd":
      return since(findDateStart(zone, Date.UTC(local.getUTCFullYear(), local.getUTCMonth())));
    case "ytd":
      return since(findDateStart(zone, Date.UTC(local.getUTCFullYear(), 0)));
    case "all":
      return rangeOfAll(moments);
  }
}

/** Covers every click, whatever its time, so the sum matches the links' counts. */
export function rangeOfAll({ nowMs, createdMs, strays }: Moments): Range {
  const fromMs = Math.max(0, Math.min(createdMs, nowMs, strays?.fromMs ?? nowMs));
  const latestMs = Math.max(nowMs, addYears(fromMs, YEARS_OF_ALL_MAX));
  return { fromMs, toMs: Math.min(Math.max(nowMs, strays?.toMs ?? nowMs), latestMs) };
}

/** Measured in local time, so 92 days stay 92 days even if one has 25 hours. */
function defaultGranularity({ fromMs, toMs }: Range, zone: TimeZone): Granularity {
  const from = fromMs + zone.offsetAt(fromMs);
  const to = toMs + zone.offsetAt(toMs);
  if (to - from <= 48 * HOUR_MS) return "hour";
  if (to - from <= 92 * DAY_MS) return "day";
  return to <= addYears(from, 2) ? "week" : "month";
}

function addYears(ms: number, years: number): number {
  const date = new Date(ms);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
}
