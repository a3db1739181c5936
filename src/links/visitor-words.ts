import { fixedValues } from "#contract/analytics.ts";
import { browserNames, osNames } from "#contract/visitor-words.ts";
import { findNearest } from "#shared/nearest-word.ts";
import { isCountry, nearestCountry } from "./country-words.ts";
import { isLanguage, nearestLanguage } from "./language-words.ts";
import { isReferrer, nearestReferrer } from "./referrer-words.ts";

/** The conditions that list words, each of which some visitor must be able to have. */
export const wordConditions = ["device", "source", "os", "browser", "country", "language", "referrer"] as const;
export type WordCondition = (typeof wordConditions)[number];

const listed = {
  device: fixedValues.device,
  source: fixedValues.source,
  os: osNames,
  browser: browserNames,
} as const;

const described = {
  country: { isKnown: isCountry, nearest: nearestCountry, hint: "Use two-letter codes in capitals, such as DE." },
  language: {
    isKnown: isLanguage,
    nearest: nearestLanguage,
    hint: "Use codes in lower case without a region, such as de.",
  },
  referrer: {
    isKnown: isReferrer,
    nearest: nearestReferrer,
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
  return suggest(findNearest(value, words)) ?? `There are: ${words.join(", ")}.`;
}

function formOf(name: WordCondition, value: string): string | null {
  const { isKnown, nearest, hint } = described[name as keyof typeof described];
  return isKnown(value) ? null : (suggest(nearest(value)) ?? hint);
}

const suggest = (word: string | undefined): string | undefined => word && `Did you mean "${word}"?`;
