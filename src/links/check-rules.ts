import { FIELD_ERRORS_MAX, type FieldCode, type FieldError } from "#contract/errors.ts";
import type { LinkCreate } from "#contract/link-record.ts";
import { bodyProblem } from "#kernel/api-error.ts";
import type { DestinationRules } from "#shared/destination-rules.ts";
import { isTimeZone } from "#visits/zone-time.ts";
import { checkDestination } from "./destination.ts";
import { findWordProblem, wordConditions } from "./visitor-words.ts";

type Rules = NonNullable<LinkCreate["rules"]>;
type Conditions = NonNullable<Rules[number]["when"]>;
type PlainConditions = NonNullable<Conditions["not"]>;
type Report = (field: string, code: FieldCode, message: string) => void;

/** What the schema can't say: words that visitors have, names that differ, times that make sense, good destinations. */
export function checkRules(rules: Rules, destinations: DestinationRules): FieldError[] {
  const problems: FieldError[] = [];
  const report: Report = (field, code, message) => problems.push(bodyProblem(`rules.${field}`, code, message));
  checkNames(rules, "", report);
  for (const [no, { destination_url, split, when }] of rules.entries()) {
    // More of them aren't shown, and looking for the word that was meant takes a while.
    if (problems.length >= FIELD_ERRORS_MAX) break;
    if ((destination_url === undefined) === (split === undefined)) {
      report(String(no), "required", "A rule needs either destination_url or split.");
    }
    if (split) checkNames(split, `${no}.split.`, report);
    checkUrl(destination_url, `${no}.destination_url`, destinations, report);
    for (const [at, way] of (split ?? []).entries())
      checkUrl(way.destination_url, `${no}.split.${at}.destination_url`, destinations, report);
    checkConditions(when ?? {}, `${no}.when`, report);
    checkConditions(when?.not ?? {}, `${no}.when.not`, report);
  }
  return problems;
}

function checkNames(named: readonly { readonly name?: string | undefined }[], place: string, report: Report): void {
  const seen = new Set<string>();
  for (const [no, { name }] of named.entries()) {
    if (name === undefined) continue;
    if (seen.has(name)) report(`${place}${no}.name`, "duplicate_parameter", `"${name}" is used twice.`);
    seen.add(name);
  }
}

function checkUrl(url: string | undefined, place: string, destinations: DestinationRules, report: Report): void {
  const checked = url === undefined ? null : checkDestination(url, destinations);
  if (checked?.ok === false) report(place, checked.code, checked.message);
}

function checkConditions(conditions: PlainConditions, place: string, report: Report): void {
  for (const name of wordConditions) {
    for (const [no, value] of (conditions[name] ?? []).entries()) {
      const problem = findWordProblem(name, value);
      if (problem !== null) report(`${place}.${name}.${no}`, "not_in_enum", problem);
    }
  }
  checkTime(conditions.time, `${place}.time`, report);
}

function checkTime(time: PlainConditions["time"], place: string, report: Report): void {
  if (time === undefined) return;
  if ("timezone" in time) {
    if (isTimeZone(time.timezone)) return;
    report(`${place}.timezone`, "invalid_timezone", "Must be an IANA time zone name, such as Europe/Berlin.");
    return;
  }
  const { after, before } = time;
  if (after !== undefined && before !== undefined && Date.parse(after) >= Date.parse(before)) {
    report(`${place}.before`, "out_of_range", "Must be later than after.");
  }
}
