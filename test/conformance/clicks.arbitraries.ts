import fc from "fast-check";
import { findBucketStarts, findOffsets } from "#analytics/bucket-starts.ts";
import { accountDimensions, granularities } from "#contract/analytics.ts";
import { clickTexts } from "#engines/clicks/click-format.ts";
import type { ReportFilters, ReportRequest } from "#engines/clicks/clicks-engine.ts";
import { findTimeZone } from "#shared/time-zone.ts";
import type { TestClick } from "./clicks.oracle.ts";

const SLOT_MS = 900_000;
/** A week around the start of summer time in Europe. */
export const FIRST_MS = Date.UTC(2026, 2, 26);
const SLOTS = 7 * 96;

const maybe = <T>(...values: readonly T[]) => fc.constantFrom(null, ...values);

export const anyClick: fc.Arbitrary<TestClick> = fc.noBias(
  fc.record({
    at_ms: fc.integer({ min: FIRST_MS, max: FIRST_MS + SLOTS * SLOT_MS - 1 }),
    account_no: fc.constantFrom(1, 1, 1, 2),
    link_no: fc.integer({ min: 1, max: 4 }),
    bot: fc.constantFrom(false, false, false, true),
    visitor: maybe("0000000000000001", "00000000000000a2", "ffffffffffffffff", "8000000000000000", "0123456789abcdef"),
    country: maybe("DE", "FR", "US"),
    region: maybe("BY"),
    city: maybe("München", "Paris"),
    referrer: maybe("news.example", "t.example"),
    language: maybe("de", "en"),
    device: maybe("desktop", "mobile", "tablet", "other"),
    browser: maybe("Chrome", 'O\'Brien "x" \\ ; --'),
    os: maybe("iOS"),
    source: fc.constantFrom("link" as const, "link" as const, "qr" as const),
    utm_source: maybe("newsletter"),
    utm_medium: maybe("email"),
    utm_campaign: maybe("spring", "🌱"),
    utm_term: maybe("a", "null"),
    utm_content: maybe("b"),
    domain: maybe("go.acme.example", "xn--mnchen-3ya.example"),
    rule: maybe("ios-de", "test/a", "test/b"),
  }),
);

/** Of a release that didn't store domains and rules. */
export const anyOldClick: fc.Arbitrary<TestClick> = anyClick.map((click) => ({ ...click, domain: null, rule: null }));

const values = (column: keyof TestClick) =>
  fc.sample(anyClick, { numRuns: 200, seed: 1 }).map((click) => click[column]) as (string | null)[];

const filteredColumns = [...clickTexts, "source" as const];

const filterOf = (column: (typeof filteredColumns)[number]) =>
  fc.uniqueArray(fc.constantFrom("no such value", ...new Set(values(column))), { minLength: 1, maxLength: 3 });

const anyFilters: fc.Arbitrary<ReportFilters> = fc
  .record({
    texts: fc
      .uniqueArray(fc.constantFrom(...filteredColumns), { maxLength: 2 })
      .chain((columns) => fc.record(Object.fromEntries(columns.map((column) => [column, filterOf(column)])))),
    link: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { maxLength: 3 }), { freq: 5 }),
    allTags: fc.constantFrom(undefined, true as const),
    tag: fc.option(fc.uniqueArray(maybe("spring", "sale", "nothing"), { minLength: 1, maxLength: 2 }), { freq: 5 }),
  })
  .map(({ texts, link, tag, allTags }) => ({
    ...texts,
    ...(link && { link }),
    ...(tag && { tag, ...(allTags && { allTags }) }),
  }));

const zones = ["UTC", "Europe/Berlin", "Europe/London", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"];

interface RequestOptions {
  /** Whether the range starts and ends at full quarters of an hour. */
  readonly aligned: boolean;
}

/** A request that the engine must answer as the oracle does, with the bucket starts of a real time zone. */
export const anyRequest = ({ aligned }: RequestOptions): fc.Arbitrary<ReportRequest> =>
  // Without a bias to small values: an empty range tests little.
  fc
    .noBias(
      fc.record({
        accountNo: fc.constantFrom(1, 1, 1, 2, 3),
        linkNo: fc.constantFrom(null, null, null, 1, 2, 9),
        firstSlot: fc.integer({ min: -96, max: SLOTS / 2 }),
        slots: fc.integer({ min: 0, max: SLOTS }),
        shiftMs: aligned ? fc.constant(0) : fc.integer({ min: 0, max: SLOT_MS }),
        zone: fc.constantFrom(...zones),
        granularity: fc.constantFrom(...granularities),
        filters: fc.oneof(fc.constant({}), anyFilters),
        includeBots: fc.constantFrom(false, false, true),
        groupBy: fc.uniqueArray(fc.constantFrom(...accountDimensions), { maxLength: 4 }),
        limit: fc.integer({ min: 1, max: 4 }),
        breakdownVisitors: fc.constantFrom(true, true, false),
        compare: fc.boolean(),
        byWeekHour: fc.boolean(),
      }),
    )
    .map(({ firstSlot, slots, shiftMs, zone, granularity, compare, byWeekHour, ...rest }) => {
      const fromMs = FIRST_MS + firstSlot * SLOT_MS + shiftMs;
      const toMs = fromMs + slots * SLOT_MS;
      const found = findTimeZone(zone);
      if (!found) throw new Error(`no zone ${zone}`);
      const bucketStartsMs = findBucketStarts(found, granularity, { fromMs, toMs, most: 1000 }) ?? [];
      const previous = compare ? { fromMs: fromMs - (toMs - fromMs), toMs: fromMs } : null;
      const weekOffsets = byWeekHour ? { weekOffsets: findOffsets(found, { fromMs, toMs }) } : {};
      return { ...rest, ...weekOffsets, fromMs, toMs, bucketStartsMs, previous };
    });
