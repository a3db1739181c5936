import { describe, expect, test } from "bun:test";
import { exampleLink } from "#contract/link-record.ts";
import {
  changedFields,
  emptyValues,
  finalAddress,
  findProblems,
  type LinkValues,
  mergeValues,
  toCreate,
  toPatch,
  valuesOf,
  valuesOfCopy,
} from "./link-form-values.ts";
import { rulesOf } from "./rules/rule-values.ts";
import { withScheme } from "./with-scheme.ts";

const OWN = ["s.example"];
const values = (some: Partial<LinkValues>): LinkValues => ({
  ...emptyValues,
  destination_url: "https://example.com/",
  ...some,
});

describe("an address as people paste it", () => {
  test.each([
    ["example.com", "https://example.com"],
    [" www.example.com/a?b#c ", "https://www.example.com/a?b#c"],
    ["example.com:8080/a", "https://example.com:8080/a"],
    ["http://example.com", "http://example.com"],
    ["javascript:alert(1)", "javascript:alert(1)"],
    ["user@example.com", "user@example.com"],
    ["nonsense", "nonsense"],
  ])("%p is taken as %p", (typed, taken) => {
    expect(withScheme(typed)).toBe(taken);
  });
});

describe("what is sent", () => {
  test("a new link carries only what was filled in", () => {
    expect(toCreate(values({ title: "  ", tags: ["a"], utm: { ...emptyValues.utm, utm_source: " x " } }))).toEqual({
      destination_url: "https://example.com/",
      tags: ["a"],
      utm: { utm_source: "x" },
    });
  });

  test("a patch carries only what differs, and null for what was emptied", () => {
    const base = values({ title: "T", tags: ["a"], expires_at: "2030-01-01T00:00:00.000Z" });
    expect(toPatch(base, { ...base, title: "", expires_at: "" })).toEqual({ title: null, expires_at: null });
    expect(toPatch(base, base)).toEqual({});
  });
});

describe("what would be lost with the form", () => {
  const rules = rulesOf([{ name: "a", when: { country: ["DE"] }, destination_url: "https://example.de/" }]);
  const withLeftover = (leftover: string) =>
    rules.map((rule) => ({ ...rule, conditions: rule.conditions.map((one) => ({ ...one, leftover })) }));

  test("is text that was typed into a rule and not selected, too", () => {
    expect(changedFields(values({ rules }), values({ rules: withLeftover("Guin") }))).toEqual(["rules"]);
  });

  test("is nothing once that text is gone", () => {
    expect(changedFields(values({ rules }), values({ rules: withLeftover("") }))).toEqual([]);
  });
});

describe("what is wrong", () => {
  test("a good form has no problem", () => {
    expect(findProblems(values({ slug: "ok", tags: ["a"] }), OWN, null)).toEqual({});
  });

  test.each<[string, Partial<LinkValues>]>([
    ["destination_url", { destination_url: "" }],
    ["destination_url", { destination_url: "javascript:alert(1)" }],
    ["destination_url", { destination_url: "https://s.example/x" }],
    [
      "destination_url",
      {
        utm: { ...emptyValues.utm, utm_source: "€".repeat(255), utm_term: "€".repeat(255) },
        destination_url: `https://example.com/${"a".repeat(6000)}`,
      },
    ],
    ["slug", { slug: "-no-" }],
    ["title", { title: "x".repeat(256) }],
    ["utm.utm_medium", { utm: { ...emptyValues.utm, utm_medium: "x".repeat(256) } }],
    ["expires_at", { expires_at: "2020-01-01T00:00:00.000Z" }],
  ])("%s is told apart", (field, some) => {
    expect(Object.keys(findProblems(values(some), OWN, null))).toEqual([field]);
  });

  test("an expiry that has passed and was not touched is no problem of an edit", () => {
    const base = values({ expires_at: "2020-01-01T00:00:00.000Z" });
    expect(findProblems({ ...base, title: "New" }, OWN, base)).toEqual({});
  });
});

test("the final address keeps every byte of the destination and replaces equal parameters", () => {
  const shown = finalAddress(
    values({
      destination_url: "https://example.com/?utm_source=a&sig=%2B#x",
      utm: { ...emptyValues.utm, utm_source: "b c" },
    }),
    OWN,
  );
  expect(shown).toBe("https://example.com/?sig=%2B&utm_source=b%20c#x");
});

test("a copy of a link leaves out what must be its own, and what has passed", () => {
  const link = {
    ...exampleLink,
    external_id: "order-1",
    password_protected: true,
    expires_at: "2026-05-01T00:00:00.000Z",
    max_clicks: 5,
  };
  const copyAt = (now: string) => valuesOfCopy(link, Date.parse(now));
  const kept = { ...emptyValues, ...valuesOf({ ...exampleLink, max_clicks: 5 }), slug: "" };
  expect(copyAt("2026-04-30T00:00:00Z")).toEqual({ ...kept, expires_at: "2026-05-01T00:00:00.000Z" });
  expect(copyAt("2026-05-01T00:00:00Z")).toEqual(kept);
});

describe("when two people change one link", () => {
  const base = values({ title: "Old", tags: ["a"] });

  test("fields that only the other changed are taken over", () => {
    const merged = mergeValues(base, { ...base, title: "Mine" }, { ...base, tags: ["b"] });
    expect(merged).toEqual({ values: { ...base, title: "Mine", tags: ["b"] }, theirs: ["tags"], clashes: [] });
  });

  test("a field that both changed keeps one's own and is named", () => {
    const merged = mergeValues(base, { ...base, title: "Mine" }, { ...base, title: "Theirs" });
    expect(merged).toEqual({ values: { ...base, title: "Mine" }, theirs: [], clashes: ["title"] });
  });

  test("a field that both changed alike is no clash", () => {
    const both = { ...base, title: "Same" };
    expect(mergeValues(base, both, both).clashes).toEqual([]);
  });
});
