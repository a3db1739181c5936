import { expect, test } from "bun:test";
import { browserNames, osNames } from "#contract/visitor-words.ts";
import { browserFamilies, osFamilies } from "./families.ts";

test("whatever a rule may ask for, some visitor has", () => {
  expect(browserNames.filter((name) => ![...browserFamilies.values()].includes(name))).toEqual([]);
  expect(osNames.filter((name) => ![...osFamilies.values()].includes(name))).toEqual([]);
});
