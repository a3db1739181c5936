import { expect, test } from "bun:test";
import { followRules } from "./rule-marks.ts";
import { newCondition, newRule, newWay, type RuleValues } from "./rule-values.ts";

const country = newCondition("country", "UTC", false);
const first: RuleValues = { ...newRule(), conditions: [country] };
const second: RuleValues = { ...newRule(), ways: [newWay(), newWay()] };
const rules = [first, second];

const follow = (marks: readonly string[], after: readonly RuleValues[]) => [
  ...followRules(new Set(marks), rules, after),
];

test("a mark stays at its rule where that moves, and goes with it", () => {
  const marks = ["title", "rules.0.when.country", "rules.0.destination_url", "rules.1.name"];
  const moved = ["title", "rules.1.when.country", "rules.1.destination_url", "rules.0.name"];
  expect(follow(marks, rules)).toEqual(marks);
  expect(follow(marks, [second, first])).toEqual(moved);
  expect(follow(marks, [second])).toEqual(["title", "rules.0.name"]);
  expect(follow(marks, [newRule()])).toEqual(["title"]);
});

test("a mark goes with its condition, and follows one that becomes its opposite", () => {
  const withConditions = (...conditions: RuleValues["conditions"]) => [{ ...first, conditions }, second];
  expect(follow(["rules.0.when.country"], withConditions(newCondition("country", "UTC", false)))).toEqual([]);
  const flipped = withConditions({ ...country, negated: true });
  expect(follow(["rules.0.when.country"], flipped)).toEqual(["rules.0.when.not.country"]);
  expect(follow(["rules.0.when.country.1"], flipped)).toEqual(["rules.0.when.not.country.1"]);
});

test("a mark stays at its way in a split, and where a split begins or ends", () => {
  const [left, right] = second.ways as [RuleValues["ways"][number], RuleValues["ways"][number]];
  const marks = ["rules.1.split.0.weight", "rules.1.split.1.destination_url", "rules.1.split.1.weight"];
  const withWays = (...ways: RuleValues["ways"]) => [first, { ...second, ways }];
  expect(follow(marks, withWays(right, left))).toEqual([
    "rules.1.split.1.weight",
    "rules.1.split.0.destination_url",
    "rules.1.split.0.weight",
  ]);
  expect(follow(marks, withWays(right))).toEqual(["rules.1.destination_url"]);
  const begun = [{ ...first, ways: [...first.ways, newWay()] }, second];
  expect(follow(["rules.0.destination_url"], begun)).toEqual(["rules.0.split.0.destination_url"]);
});
