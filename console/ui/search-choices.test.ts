import { expect, test } from "bun:test";
import { findChoice, searchChoices } from "./search-choices.ts";

const choices = [
  { value: "GN", label: "Guinea" },
  { value: "GW", label: "Guinea-Bissau" },
  { value: "CI", label: "Côte d’Ivoire", aliases: ["CIV", "Ivory Coast"] },
  { value: "LC", label: "St. Lucia" },
  { value: "TT", label: "Trinidad & Tobago" },
  { value: "UA", label: "Ukraine" },
  { value: "GB", label: "United Kingdom", aliases: ["GBR", "UK", "England"] },
];

const found = (text: string) => searchChoices(choices, text).map(({ value }) => value);

test("what is called exactly so comes first, then what begins with it, then what contains it", () => {
  expect(found("uk")).toEqual(["GB", "UA"]);
  expect(found("uni")).toEqual(["GB"]);
  expect(found("u")).toEqual(["UA", "GB", "GN", "GW", "LC"]);
  expect(found("gw")).toEqual(["GW"]);
  expect(found("ivory")).toEqual(["CI"]);
  expect(found("kingdom")).toEqual(["GB"]);
  expect(found("atlantis")).toEqual([]);
});

test("accents, dots, signs and capitals make no difference", () => {
  for (const text of ["COTE DIVOIRE", "côte d'ivoire", "Côte d’Ivoire"]) expect(found(text)).toEqual(["CI"]);
  expect(found("U.K.")).toEqual(["GB", "UA"]);
  expect(found("st lucia")).toEqual(["LC"]);
  expect(found("trinidad and tobago")).toEqual(["TT"]);
  expect(found("guinea bissau")).toEqual(["GW"]);
});

test("one that is meant beyond doubt is called so, or fits alone", () => {
  expect(findChoice(choices, "uk")?.value).toBe("GB");
  expect(findChoice(choices, "guinea")?.value).toBe("GN");
  expect(findChoice(choices, "guinea b")?.value).toBe("GW");
  expect(findChoice(choices, "gui")).toBeUndefined();
  expect(findChoice(choices, "atlantis")).toBeUndefined();
});
