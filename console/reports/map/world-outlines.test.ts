import { expect, test } from "bun:test";
import { countryAliases } from "#shared/country-names.ts";
import { MAP_HEIGHT, MAP_WIDTH, outlines, spots } from "./world-outlines.ts";

test("the map has every country once, and nothing else", () => {
  const codes = [...Object.keys(outlines), ...Object.keys(spots)];
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.filter((code) => !countryAliases.has(code))).toEqual([]);
  // Countries that the data has no shape for at its scale, and Antarctica.
  const missing = [...countryAliases.keys()].filter((code) => !codes.includes(code));
  expect(missing).toEqual(["AQ", "BQ", "BV", "CC", "CX", "GF", "GI", "GP", "MQ", "RE", "SJ", "TK", "TV", "UM", "YT"]);
});

test("every place is on the picture", () => {
  for (const [x, y] of Object.values(spots)) {
    expect(x).toBeWithin(0, MAP_WIDTH + 1);
    expect(y).toBeWithin(0, MAP_HEIGHT + 1);
  }
  for (const path of Object.values(outlines)) expect(path).toMatch(/^(?:M-?[\d.]+[ -][\d.]+l[-\d. ]+z)+$/);
});
