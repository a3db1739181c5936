import { expect, test } from "bun:test";
import { countryCodes } from "#contract/visitor-words.ts";
import { countryAliases } from "./country-names.ts";

test("every country has a code of three letters, and no alias belongs to two", () => {
  expect([...countryAliases.keys()]).toEqual([...countryCodes]);
  for (const [longCode] of countryAliases.values()) expect(longCode).toMatch(/^[A-Z]{3}$/);
  const aliases = [...countryAliases.values()].flat();
  expect(new Set(aliases).size).toBe(aliases.length);
});

test.each([
  ["US", "USA"],
  ["GB", "UK"],
  ["DE", "DEU"],
  ["CH", "CHE"],
  ["XK", "XKX"],
])("%s is also known as %s", (code, alias) => {
  expect(countryAliases.get(code)).toContain(alias);
});
