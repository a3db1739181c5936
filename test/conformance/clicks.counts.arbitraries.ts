import fc from "fast-check";
import type { CountedCut } from "#clicks/imported/counted-moment.ts";
import { type CountedDimension, countedDimensions, momentOfDay } from "#engines/clicks/click-counts.ts";
import { anyClick, FIRST_MS } from "./clicks.arbitraries.ts";
import type { TestDayVisitors, TestMoment, TestVisit } from "./clicks.oracle.ts";

const SLOT_MS = 900_000;
const DAY_MS = 86_400_000;
const FIRST_DAY = FIRST_MS / DAY_MS;

const values = fc.sample(anyClick, { numRuns: 100, seed: 2 });

/** Values that clicks have, too, so that both are in the same items of a breakdown. */
const anyValue = (name: CountedDimension) => fc.constantFrom(...new Set(values.map((click) => click[name])));

const anyCut = (dimensions: readonly CountedDimension[]): fc.Arbitrary<CountedCut> =>
  fc
    .array(
      fc.record({
        values: fc.record(Object.fromEntries(dimensions.map((name) => [name, anyValue(name)]))),
        clicks: fc.integer({ min: 0, max: 9 }),
      }),
      { maxLength: 4 },
    )
    .map((counts) => ({
      dimensions,
      counts: counts.map(({ values, clicks }) => ({
        clicks,
        values: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)),
      })),
    }));

/** Some dimensions, divided into up to three cuts. */
const anyCuts = fc
  .array(fc.uniqueArray(fc.constantFrom(...countedDimensions), { minLength: 1, maxLength: 4 }), { maxLength: 3 })
  .map((cuts) => {
    const taken = new Set<CountedDimension>();
    const disjoint = cuts.map((names) => names.filter((name) => !taken.has(name) && taken.add(name)));
    return disjoint.filter((names) => names.length > 0);
  })
  .chain((cuts) => fc.tuple(...cuts.map(anyCut)));

export const anyMoment: fc.Arbitrary<TestMoment> = fc.noBias(
  fc
    .record({
      accountNo: fc.constantFrom(1, 1, 1, 2),
      linkNo: fc.integer({ min: 1, max: 4 }),
      slot: fc.integer({ min: 0, max: 7 * 96 - 1 }),
      hasHour: fc.boolean(),
      bot: fc.constantFrom(false, false, false, true),
      domain: fc.constantFrom("", "go.acme.example"),
      clicks: fc.integer({ min: 1, max: 30 }),
      cuts: anyCuts,
    })
    .map(({ slot, hasHour, ...rest }) => ({
      ...rest,
      hasHour,
      atMs: hasHour ? FIRST_MS + slot * SLOT_MS : momentOfDay(FIRST_DAY + Math.floor(slot / 96)),
    })),
);

export const anyVisit: fc.Arbitrary<TestVisit> = fc
  .record({ click: anyClick, clicks: fc.integer({ min: 1, max: 4 }) })
  .map(({ click, clicks }) => ({ ...click, at_ms: Math.floor(click.at_ms / SLOT_MS) * SLOT_MS, clicks }));

/** Of days without single clicks, now and then with the right number of clicks. */
export const anyDayVisitors: fc.Arbitrary<TestDayVisitors> = fc.record({
  accountNo: fc.constantFrom(1, 2),
  linkNo: fc.integer({ min: 0, max: 4 }),
  day: fc.integer({ min: FIRST_DAY, max: FIRST_DAY + 6 }),
  withBots: fc.boolean(),
  clicks: fc.integer({ min: 1, max: 30 }),
  visitors: fc.integer({ min: 0, max: 9 }),
});
