import { fixedValues } from "#contract/analytics.ts";
import type { FieldCode, FieldError } from "#contract/errors.ts";
import type { LinkCreate } from "#contract/link-record.ts";
import { browserNames, osNames } from "#contract/visitor-words.ts";
import { bodyProblem } from "#kernel/api-error.ts";
import { findNearest } from "#kernel/nearest-word.ts";
import { isTimeZone } from "#visits/zone-time.ts";

type Rules = NonNullable<LinkCreate["rules"]>;
type Conditions = NonNullable<Rules[number]["when"]>;
type PlainConditions = NonNullable<Conditions["not"]>;
type Report = (field: string, code: FieldCode, message: string) => void;

const HOST_NAME = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;
const regions = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const languages = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** What the schema can't say: words that visitors have, names that differ, times that make sense. */
export function checkRules(rules: Rules): FieldError[] {
  const problems: FieldError[] = [];
  const report: Report = (field, code, message) => problems.push(bodyProblem(`rules.${field}`, code, message));
  checkNames(rules, "", report);
  for (const [no, { destination_url, split, when }] of rules.entries()) {
    if ((destination_url === undefined) === (split === undefined)) {
      report(String(no), "required", "A rule needs either destination_url or split.");
    }
    if (split) checkNames(split, `${no}.split.`, report);
    checkConditions(when ?? {}, `${no}.when`, report);
    checkConditions(when?.not ?? {}, `${no}.when.not`, report);
  }
  return problems;
}

function checkNames(named: readonly { readonly name?: string | undefined }[], place: string, report: Report): void {
  const seen = new Set<string>();
  for (const [no, { name }] of named.entries()) {
    if (name === undefined) continue;
    if (seen.has(name)) report(`${place}${no}.name`, "not_in_enum", `"${name}" is used twice.`);
    seen.add(name);
  }
}

function checkConditions(conditions: PlainConditions, place: string, report: Report): void {
  checkWords(conditions.device, fixedValues.device, `${place}.device`, report);
  checkWords(conditions.source, fixedValues.source, `${place}.source`, report);
  checkWords(conditions.os, osNames, `${place}.os`, report);
  checkWords(conditions.browser, browserNames, `${place}.browser`, report);
  const check = (
    name: keyof PlainConditions,
    values: readonly string[] = [],
    isKnown: (value: string) => boolean,
    hint: string,
  ) => {
    for (const [no, value] of values.entries()) {
      if (!isKnown(value)) report(`${place}.${name}.${no}`, "not_in_enum", `No visitor has "${value}". ${hint}`);
    }
  };
  check("country", conditions.country, isCountry, "Use two-letter codes in capitals, such as DE.");
  check("language", conditions.language, isLanguage, "Use codes in lower case without a region, such as de.");
  check(
    "referrer",
    conditions.referrer,
    (name) => HOST_NAME.test(name),
    "Use host names in lower case, such as example.com.",
  );
  checkTime(conditions.time, `${place}.time`, report);
}

function checkWords(
  values: readonly string[] | undefined,
  words: readonly string[],
  place: string,
  report: Report,
): void {
  for (const [no, value] of (values ?? []).entries()) {
    if (words.includes(value)) continue;
    const nearest = findNearest(value, words);
    const hint = nearest ? `Did you mean "${nearest}"?` : `There are: ${words.join(", ")}.`;
    report(`${place}.${no}`, "not_in_enum", `No visitor has "${value}". ${hint}`);
  }
}

function checkTime(time: PlainConditions["time"], place: string, report: Report): void {
  if (time === undefined) return;
  if ("timezone" in time) {
    if (isTimeZone(time.timezone)) return;
    report(`${place}.timezone`, "invalid_timezone", "Must be an IANA time zone name, such as Europe/Berlin.");
    return;
  }
  const { after, before } = time;
  if (after === undefined && before === undefined) report(place, "required", "Give after, before or both.");
  if (after !== undefined && before !== undefined && Date.parse(after) >= Date.parse(before)) {
    report(`${place}.before`, "out_of_range", "Must be later than after.");
  }
}

// "Unknown region" is a region to the library.
const isCountry = (code: string): boolean => /^[A-Z]{2}$/.test(code) && code !== "ZZ" && regions.of(code) !== undefined;
const isLanguage = (code: string): boolean => /^[a-z]{2,3}$/.test(code) && languages.of(code) !== undefined;
