import { expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { schemaBook } from "#contract/openapi-schemas.ts";
import { Rules } from "#contract/rules.ts";

const ajv = new Ajv2020({ strict: false });
addFormats(ajv);
const isPublished = ajv.compile(schemaBook().describe(Rules, "input"));

const rulesWith = (time: unknown) => [{ when: { time }, destination_url: "https://example.com/" }];

const instant = fc.constantFrom("2026-01-01T00:00:00Z", "2026-06-01T12:00:00+02:00", "tomorrow");
const hour = fc.constantFrom("09:00", "22:30", "9:00");
const days = fc.constantFrom<unknown[]>(["mon"], ["sat", "sun"], [], ["monday"]);
const weekly = { days, from: hour, to: hour, timezone: fc.constantFrom<unknown>("UTC", "Europe/Berlin", 5) };
const range = { after: instant, before: instant };
const anyOf = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(fields, { requiredKeys: [] });

test("the time of a rule is accepted as it is published, though it is checked in another way", () => {
  const time = fc.oneof(
    anyOf(weekly),
    anyOf(range),
    anyOf({ ...weekly, ...range, until: hour }),
    fc.constantFrom<unknown>({}, null, "always", [], 5),
  );
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(time, (value) => {
      const rules = rulesWith(value);
      const { success } = Rules.safeParse(rules);
      expect([value, success]).toEqual([value, isPublished(rules)]);
      seen[success ? "accepted" : "refused"] += 1;
    }),
    { numRuns: 4000 },
  );
  // Otherwise the test would say little.
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(100);
});
