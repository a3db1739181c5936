import { fixedValues } from "#contract/analytics.ts";
import { browserNames, osNames } from "#contract/visitor-words.ts";
import { findNearest } from "#kernel/nearest-word.ts";

/** The conditions that list words, each of which some visitor must be able to have. */
export const wordConditions = ["device", "source", "os", "browser", "country", "language", "referrer"] as const;
export type WordCondition = (typeof wordConditions)[number];

const HOST_NAME = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;
const regions = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const languages = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

// "Unknown region" is a region to the library.
const isCountry = (code: string): boolean => /^[A-Z]{2}$/.test(code) && code !== "ZZ" && regions.of(code) !== undefined;
const isLanguage = (code: string): boolean => /^[a-z]{2,3}$/.test(code) && languages.of(code) !== undefined;

const listed = {
  device: fixedValues.device,
  source: fixedValues.source,
  os: osNames,
  browser: browserNames,
} as const;

const described = {
  country: { isKnown: isCountry, hint: "Use two-letter codes in capitals, such as DE." },
  language: { isKnown: isLanguage, hint: "Use codes in lower case without a region, such as de." },
  referrer: {
    isKnown: (name: string) => HOST_NAME.test(name),
    hint: "Use host names in lower case, such as example.com.",
  },
} as const;

/** What is wrong with a word that no visitor can have; `null` if one can. */
export function findWordProblem(name: WordCondition, value: string): string | null {
  const hint = name in listed ? hintOf(value, listed[name as keyof typeof listed]) : formOf(name, value);
  return hint === null ? null : `No visitor has "${value}". ${hint}`;
}

function hintOf(value: string, words: readonly string[]): string | null {
  if (words.includes(value)) return null;
  const nearest = findNearest(value, words);
  return nearest ? `Did you mean "${nearest}"?` : `There are: ${words.join(", ")}.`;
}

function formOf(name: WordCondition, value: string): string | null {
  const { isKnown, hint } = described[name as keyof typeof described];
  return isKnown(value) ? null : hint;
}
