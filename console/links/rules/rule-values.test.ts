import { describe, expect, test } from "bun:test";
import type { Link } from "#contract/link-record.ts";
import { findRuleProblems } from "./rule-problems.ts";
import {
  freeNegation,
  nameGiven,
  newCondition,
  newRule,
  newWay,
  percentagesOf,
  rulesOf,
  toRules,
} from "./rule-values.ts";
import { ruleText } from "./rule-words.ts";

const stored: Link["rules"] = [
  {
    name: "ios-de",
    when: {
      country: ["DE", "AT"],
      device: ["mobile"],
      query: { ref: "app", debug: true },
      not: { os: ["Windows"], time: { after: "2026-01-01T00:00:00.000Z" } },
    },
    destination_url: "https://example.de/app",
  },
  {
    name: "hours",
    when: { time: { days: ["mon", "tue", "wed"], from: "09:00", timezone: "Europe/Berlin" } },
    destination_url: "https://example.com/open",
  },
  {
    name: "test",
    split: [
      { name: "a", weight: 60, destination_url: "https://a.example/" },
      { name: "b", weight: 40, destination_url: "https://b.example/" },
    ],
  },
];

const asTyped = (address: string): string => address;
const rules = rulesOf(stored);

test("stored rules come back from the form unchanged", () => {
  expect(toRules(rules, asTyped)).toEqual(stored);
});

test("a new rule leaves its name to the server", () => {
  const rule = { ...newRule(), conditions: [newCondition("source", "UTC", false)] };
  expect(toRules([rule], () => "https://example.com/")).toEqual([
    { when: { source: [] }, destination_url: "https://example.com/" },
  ]);
});

describe("a rule reads as a sentence", () => {
  const [first, second, third] = rules;
  test("with conditions and their negations", () => {
    expect(first && ruleText(first)).toMatch(
      /^If the country is Germany or Austria and the device is mobile and the query has ref=app and the query has debug and the system isn’t Windows and it isn’t after .+, go to example\.de\/app$/,
    );
  });
  test("with hours in a zone", () => {
    expect(second && ruleText(second)).toBe("If it’s Mon–Wed 09:00–24:00 in Berlin, go to example.com/open");
  });
  test("with a split in percent", () => {
    expect(third && ruleText(third)).toBe("Send 60% to a.example and 40% to b.example");
  });
});

test("a field has one condition and one negation, a query parameter any number", () => {
  const one = newCondition("os", "UTC", false);
  expect(freeNegation([], "os")).toBe(false);
  expect(freeNegation([one], "os")).toBe(true);
  expect(freeNegation([one, { ...one, negated: true }], "os")).toBeUndefined();
  expect(freeNegation([newCondition("query", "UTC", false)], "query")).toBe(false);
});

test("weights that are no numbers have no share", () => {
  const way = { key: "", name: "", destination_url: "" };
  expect(
    percentagesOf([
      { ...way, weight: "3" },
      { ...way, weight: "x" },
      { ...way, weight: "1" },
    ]),
  ).toEqual([75, 0, 25]);
});

test("problems are found at the place where the API would report them", () => {
  const rule = {
    ...newRule(),
    conditions: [newCondition("country", "UTC", true), newCondition("query", "UTC", false)],
  };
  const judge = (url: string) => (url === "" ? "Enter an address." : undefined);
  expect(findRuleProblems([rule], judge)).toEqual({
    "rules.0.when.not.country": "Choose at least one.",
    "rules.0.when.query.": "Enter the parameter’s name.",
    "rules.0.destination_url": "Enter an address.",
  });
});

test.each([
  ["country", "atlantis", "No country matches “atlantis”."],
  ["country", "Guin", "Several countries match “Guin”. Select one."],
  ["referrer", "a b", "“a b” isn’t a host name, such as example.com."],
] as const)("what was typed as %s and not selected isn't forgotten: %s", (field, leftover, problem) => {
  const condition = { key: "", negated: false, field, values: ["x"], leftover };
  expect(findRuleProblems([{ ...newRule(), conditions: [condition] }], () => undefined)).toEqual({
    [`rules.0.when.${field}`]: problem,
  });
});

test("two rules, or two ways of a split, can't have the same name", () => {
  const way = (name: string) => ({ ...newWay(), name, destination_url: "https://example.com/" });
  const rule = (name: string) => ({ ...newRule(), name, ways: [way("a"), way("b"), way("a"), way(""), way("")] });
  const problems = findRuleProblems([rule("one"), rule("two"), rule("one")], () => undefined);
  expect(problems["rules.2.name"]).toBe("“one” is used twice.");
  expect(problems["rules.0.split.2.name"]).toBe("“a” is used twice.");
  expect(Object.keys(problems).filter((field) => field.endsWith("name"))).toHaveLength(4);
});

test("what has no name gets the first number that is free", () => {
  const names = ["", "way-1", "a", "", ""].map((name) => ({ name }));
  expect([0, 3, 4].map((index) => nameGiven(names, index, "way"))).toEqual(["way-2", "way-3", "way-4"]);
});
