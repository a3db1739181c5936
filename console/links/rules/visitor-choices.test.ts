import { expect, test } from "bun:test";
import { searchChoices } from "#console/ui/search-choices.ts";
import { countryCodes } from "#contract/visitor-words.ts";
import { countryAliases } from "#shared/country-names.ts";
import { choicesOf, type ListField } from "./visitor-choices.ts";

test.each<ListField>(["country", "language", "device", "os", "browser", "source"])(
  "no two choices of %s have the same name",
  (field) => {
    const labels = choicesOf(field).map(({ label }) => label);
    expect(labels.filter((label, at) => labels.indexOf(label) < at)).toEqual([]);
  },
);

const firstCountry = (text: string) => searchChoices(choicesOf("country"), text)[0]?.value;

test.each([
  ["UK", "GB"],
  ["england", "GB"],
  ["Great Britain", "GB"],
  ["USA", "US"],
  ["U.S.A.", "US"],
  ["America", "US"],
  ["united st", "US"],
  ["Holland", "NL"],
  ["Turkey", "TR"],
  ["Ivory", "CI"],
  ["Czech Rep", "CZ"],
  ["Bosnia and", "BA"],
  ["Niger", "NE"],
])("someone who types %s is offered %s first", (text, code) => {
  expect(firstCountry(text)).toBe(code);
});

test("every country is found by each of its codes", () => {
  for (const code of countryCodes) {
    expect(firstCountry(code.toLowerCase())).toBe(code);
    expect(firstCountry(countryAliases.get(code)?.[0] ?? "")).toBe(code);
  }
});
