import { expect, test } from "bun:test";
import fc from "fast-check";
import { compileRules, decide } from "./decide.ts";
import { firstRule } from "./fixtures/oracle.ts";
import { type Conditions, type PlainConditions, type Rule, type VisitFacts, weekdays } from "./rule.ts";

const RULE_SETS = 2000;
const VISITS_EACH = 50;
const CASES = RULE_SETS * VISITS_EACH;
const zones = ["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"];

const some = <T>(...values: T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
const hour = fc
  .tuple(fc.nat(23), fc.constantFrom("00", "15", "30", "59"))
  .map(([h, m]) => `${String(h).padStart(2, "0")}:${m}`);
const instant = fc.date({ min: new Date("2026-03-01"), max: new Date("2026-11-30"), noInvalidDate: true });
const maybe = { requiredKeys: [] };
const hours = fc.record(
  { days: some(...weekdays), from: hour, to: hour, timezone: fc.constantFrom(...zones) },
  { requiredKeys: ["timezone"] },
);
const range = fc.record(
  { after: instant.map((at) => at.toISOString()), before: instant.map((at) => at.toISOString()) },
  maybe,
);

const plain: fc.Arbitrary<PlainConditions> = fc.record(
  {
    country: some("DE", "AT", "US"),
    language: some("de", "en"),
    device: some("mobile", "desktop"),
    os: some("iOS", "Android", "Linux"),
    browser: some("Safari", "Firefox"),
    referrer: some("example.com", "news.example.com", "t.co"),
    source: some("qr", "link"),
    query: fc.dictionary(fc.constantFrom("ref", "a b", "ü"), fc.constantFrom<string | true>("x", "", true), {
      maxKeys: 2,
    }),
    time: fc.oneof(hours, range),
  },
  maybe,
);
// Rules with many conditions hardly ever hold, so most have one or two.
const few = fc
  .tuple(plain, fc.integer({ min: 1, max: 2 }), fc.nat(8))
  .map(([all, count, from]) => Object.fromEntries(Object.entries(all).slice(from, from + count)) as PlainConditions);
const conditions: fc.Arbitrary<Conditions> = fc
  .tuple(fc.oneof({ weight: 9, arbitrary: few }, { weight: 1, arbitrary: plain }), fc.option(few, { nil: undefined }))
  .map(([when, not]) => ({ ...when, ...(not && { not }) }));

const facts: fc.Arbitrary<VisitFacts> = fc.record({
  country: fc.constantFrom("", "DE", "AT", "US", "FR"),
  language: fc.constantFrom("", "de", "en", "fr"),
  device: fc.constantFrom("", "mobile", "desktop", "tablet"),
  os: fc.constantFrom("", "iOS", "Android", "Linux"),
  browser: fc.constantFrom("", "Safari", "Firefox", "Chrome"),
  referrer: fc.constantFrom("", "example.com", "news.example.com", "anexample.com", "t.co", "a.t.co"),
  source: fc.constantFrom("link", "qr"),
  url: fc
    .constantFrom("", "?", "?ref=x", "?ref=&qr", "?a+b=x", "?%C3%BC=x&ref=y", "??ref=x", "?ref=y&ref=x", "?&&")
    .map((query) => `/abc${query}`),
  visitor: fc.constantFrom("", "0123456789abcdef", "fedcba9876543210"),
});

const rules: fc.Arbitrary<readonly Rule[]> = fc
  .array(conditions, { maxLength: 6 })
  .map((all) => all.map((when, no) => ({ name: `rule-${no}`, when, destination_url: `https://example.com/${no}` })));

const visits = fc.array(fc.tuple(facts, instant), { minLength: VISITS_EACH, maxLength: VISITS_EACH });

test("any visit is decided as the rules say", () => {
  let matched = 0;
  fc.assert(
    fc.property(rules, visits, (given, seen) => {
      const compiled = compileRules(given, (url) => url);
      for (const [visit, at] of seen) {
        const decision = decide(compiled, visit, { linkNo: 7, atMs: at.getTime() });
        expect(decision?.label).toBe(firstRule(given, visit, at)?.name);
        if (decision !== null) matched += 1;
      }
    }),
    { numRuns: RULE_SETS },
  );
  // Otherwise the test would say little.
  expect(matched).toBeWithin(CASES / 5, CASES * 0.95);
});
