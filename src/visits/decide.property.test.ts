import { expect, test } from "bun:test";
import fc from "fast-check";
import { compileRules, decide } from "./decide.ts";
import { firstRule } from "./fixtures/oracle.ts";
import { conditions, facts, instant } from "./fixtures/random-visits.ts";
import type { Rule } from "./rule.ts";

const RULE_SETS = 2000;
const VISITS_EACH = 50;
const CASES = RULE_SETS * VISITS_EACH;
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
