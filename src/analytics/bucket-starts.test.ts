import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Granularity, granularities } from "#contract/analytics.ts";
import { findTimeZone, type TimeZone } from "#shared/time-zone.ts";
import { findBucketStarts, findDateStart, findOffsets } from "./bucket-starts.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function getZone(name: string): TimeZone {
  const zone = findTimeZone(name);
  if (!zone) throw new Error(`no zone ${name}`);
  return zone;
}

/** Days with unusual clock changes, and normal ones. */
const oddDays: readonly (readonly [zone: string, day: string])[] = [
  ["UTC", "2026-03-01"],
  ["Europe/Berlin", "2026-03-29"],
  ["Europe/Berlin", "2026-10-25"],
  ["Europe/London", "2026-03-29"],
  ["Atlantic/Azores", "2026-03-29"],
  ["America/New_York", "2026-11-01"],
  ["America/Sao_Paulo", "2018-11-04"],
  ["America/Sao_Paulo", "2018-02-18"],
  ["Asia/Beirut", "2022-03-27"],
  ["Asia/Beirut", "2022-10-30"],
  ["America/Havana", "2026-11-01"],
  ["America/Santiago", "2026-09-06"],
  ["America/St_Johns", "2011-11-06"],
  ["America/St_Johns", "2011-03-13"],
  ["Australia/Lord_Howe", "2026-04-05"],
  ["Australia/Lord_Howe", "2026-10-04"],
  ["Asia/Kathmandu", "2026-01-01"],
  ["Asia/Kolkata", "2026-06-15"],
  ["Australia/Eucla", "2026-06-15"],
  ["Pacific/Apia", "2011-12-30"],
  ["Pacific/Kiritimati", "1994-12-31"],
  ["Africa/Casablanca", "2026-02-15"],
  ["Asia/Gaza", "2012-03-30"],
  ["America/Caracas", "2016-05-01"],
  ["Asia/Pyongyang", "2018-05-04"],
  ["Antarctica/Troll", "2026-03-29"],
];

interface Label {
  readonly date: string;
  readonly minute: number;
}

/** The local time, computed in the simplest way. */
function localClock(zone: string): (ms: number) => Label {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    minute: "2-digit",
  });
  return (ms) => {
    const found = new Map(parts.formatToParts(ms).map(({ type, value }) => [type, value]));
    return {
      date: `${found.get("year")}-${found.get("month")}-${found.get("day")}`,
      minute: Number(found.get("minute")),
    };
  };
}

function labelOf(granularity: Granularity, date: string): string {
  if (granularity === "month") return date.slice(0, 7);
  if (granularity === "day") return date;
  const midnight = Date.parse(date);
  const weekday = (new Date(midnight).getUTCDay() + 6) % 7;
  return new Date(midnight - weekday * DAY_MS).toISOString().slice(0, 10);
}

/** Walks minute by minute, and starts a bucket at every full hour or new local date. */
function walk(zone: string, granularity: Granularity, fromMs: number, toMs: number): number[] {
  const clock = localClock(zone);
  const lead = { hour: 3 / 24, day: 2, week: 9, month: 33 }[granularity] * DAY_MS;
  const first = Math.floor((fromMs - lead) / MINUTE_MS) * MINUTE_MS;
  let highest = labelOf(granularity, clock(first).date);
  let starts: number[] = [];
  for (let at = first; at < toMs; at += MINUTE_MS) {
    const { date, minute } = clock(at);
    const label = labelOf(granularity, date);
    const isStart = granularity === "hour" ? minute === 0 : label > highest;
    if (label > highest) highest = label;
    if (isStart) starts = at <= fromMs ? [at] : [...starts, at];
  }
  return fromMs < toMs ? starts : [];
}

describe("bucket starts", () => {
  test.each(granularities.map((granularity) => [granularity]))(
    "by %s are those that a walk along the local clock finds",
    (granularity) => {
      const days = granularity === "hour" || granularity === "day" ? 4 : 2;
      fc.assert(
        fc.property(
          fc.constantFrom(...oddDays),
          fc.integer({ min: -2 * 24 * 60, max: 24 * 60 }),
          fc.integer({ min: 0, max: days * 24 * 60 }),
          fc.nat({ max: 59_999 }),
          ([name, day], startMinutes, spanMinutes, extraMs) => {
            const fromMs = Date.parse(day) + startMinutes * MINUTE_MS + extraMs;
            const toMs = fromMs + spanMinutes * MINUTE_MS;
            const found = findBucketStarts(getZone(name), granularity, { fromMs, toMs, most: 1000 });
            expect(found).toEqual(walk(name, granularity, fromMs, toMs));
          },
        ),
        { numRuns: { hour: 60, day: 60, week: 12, month: 6 }[granularity] },
      );
    },
    60_000,
  );

  test("a year's days have the lengths daylight saving time gives them", () => {
    const range = { fromMs: Date.UTC(2026, 0, 1, -1), toMs: Date.UTC(2027, 0, 1, -1), most: 1000 };
    const starts = findBucketStarts(getZone("Europe/Berlin"), "day", range) ?? [];
    const hours = starts.map((start, index) => ((starts[index + 1] ?? range.toMs) - start) / 3_600_000);
    expect(starts).toHaveLength(365);
    expect(hours.filter((length) => length !== 24)).toEqual([23, 25]);
  });

  test("a day without a midnight starts with its first instant", () => {
    expect(new Date(findDateStart(getZone("America/Sao_Paulo"), Date.UTC(2018, 10, 4))).toISOString()).toBe(
      "2018-11-04T03:00:00.000Z",
    );
    expect(new Date(findDateStart(getZone("Asia/Beirut"), Date.UTC(2022, 2, 27))).toISOString()).toBe(
      "2022-03-26T22:00:00.000Z",
    );
  });

  test("a day skipped by a time zone has no bucket", () => {
    const range = { fromMs: Date.UTC(2011, 11, 28), toMs: Date.UTC(2012, 0, 2), most: 1000 };
    const starts = findBucketStarts(getZone("Pacific/Apia"), "day", range) ?? [];
    const dates = starts.map((start) => localClock("Pacific/Apia")(start).date);
    expect(dates).toEqual(["2011-12-27", "2011-12-28", "2011-12-29", "2011-12-31", "2012-01-01", "2012-01-02"]);
  });

  test("counting stops at the limit, however long the range", () => {
    const range = { fromMs: 0, toMs: Date.UTC(9000, 0), most: 1000 };
    for (const granularity of granularities) {
      expect(findBucketStarts(getZone("Asia/Kathmandu"), granularity, range)).toBeUndefined();
    }
  });

  test("every time zone of the runtime is known, but no offset, unknown abbreviation or empty text", () => {
    for (const name of Intl.supportedValuesOf("timeZone")) expect(findTimeZone(name)?.name).toBe(name);
    for (const name of ["", "+02:00", "Mars/Olympus", "Europe/Berlin ", "../etc", "UTC+1"]) {
      expect(findTimeZone(name)).toBeUndefined();
    }
  });
});

describe("the offsets of a range", () => {
  test("change when the clock does", () => {
    const range = { fromMs: Date.UTC(2026, 0), toMs: Date.UTC(2027, 0) };
    const hours = (zone: string) =>
      findOffsets(getZone(zone), range).map(({ fromMs, offsetMs }) => [
        new Date(fromMs).toISOString(),
        offsetMs / 3_600_000,
      ]);
    expect(hours("UTC")).toEqual([["2026-01-01T00:00:00.000Z", 0]]);
    expect(hours("Europe/Berlin")).toEqual([
      ["2026-01-01T00:00:00.000Z", 1],
      ["2026-03-29T01:00:00.000Z", 2],
      ["2026-10-25T01:00:00.000Z", 1],
    ]);
  });

  test("are those at every moment", () => {
    const zone = fc.constantFrom(...new Set(oddDays.map(([name]) => name)));
    const moment = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2030, 0) });
    fc.assert(
      fc.property(
        zone,
        moment,
        fc.integer({ min: 0, max: 400 * DAY_MS }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (name, fromMs, lengthMs, part) => {
          const at = fromMs + Math.floor(part * lengthMs);
          const offsets = findOffsets(getZone(name), { fromMs, toMs: fromMs + lengthMs + 1 });
          expect(offsets.findLast((offset) => offset.fromMs <= at)?.offsetMs).toBe(getZone(name).offsetAt(at));
        },
      ),
    );
  });
});
