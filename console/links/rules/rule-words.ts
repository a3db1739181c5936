import { nameValue } from "#console/reports/dimensions.ts";
import { formatAddress, formatInstant } from "#console/ui/format.ts";
import { locale } from "#console/ui/locale.ts";
import { ruleTexts } from "#texts/rules.ts";
import {
  type ConditionField,
  type ConditionValues,
  percentagesOf,
  type RangeTime,
  type RuleValues,
  type WeeklyTime,
} from "./rule-values.ts";
import type { ListField } from "./visitor-choices.ts";

interface ConditionWords {
  readonly label: string;
  readonly is: string;
  readonly isNot: string;
  readonly holds: string;
  readonly fails: string;
  /** Explains what is meant where the label can't. */
  readonly hint?: string;
}

export const conditionWords: Readonly<Record<ConditionField, ConditionWords>> = ruleTexts.conditions;
const { sentence: texts } = ruleTexts;

const dayOrder = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const weekday = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
/** The first of 2024 was a Monday. */
export const dayNames: Readonly<Record<string, string>> = Object.fromEntries(
  dayOrder.map((day, index) => [day, weekday.format(Date.UTC(2024, 0, 1 + index))]),
);

const lists = {
  or: new Intl.ListFormat(locale, { type: "disjunction" }),
  and: new Intl.ListFormat(locale, { type: "conjunction" }),
} as const;

export const listWords = (words: readonly string[], last: keyof typeof lists): string => lists[last].format(words);

const SHOWN_MAX = 4;

/** In lower case or with an article, where it is no name. */
const wordsInSentence: Partial<Record<ListField, Readonly<Record<string, string>>>> = {
  device: texts.devices,
  source: texts.sources,
};

function writeValues(field: ListField, values: readonly string[]): string {
  if (values.length === 0) return "…";
  const words = values.map((value) => wordsInSentence[field]?.[value] ?? nameValue(field, value));
  if (words.length <= SHOWN_MAX) return listWords(words, "or");
  return listWords([...words.slice(0, SHOWN_MAX - 1), texts.others(words.length - SHOWN_MAX + 1)], "or");
}

/** Days in a row as a range. */
function writeDays(days: readonly string[]): string {
  const at = dayOrder.flatMap((day, index) => (days.includes(day) ? [index] : []));
  if (at.length === 0 || at.length === dayOrder.length) return texts.anyDay;
  const [first = 0] = at;
  const isRow = at.length > 2 && at.every((index, no) => index === first + no);
  const names = at.map((index) => dayNames[dayOrder[index] ?? ""] ?? "");
  return isRow ? `${names[0]}–${names.at(-1)}` : listWords(names, "or");
}

function writeTime(time: WeeklyTime | RangeTime): string {
  if (time.kind === "range") return writeRange(time);
  const days = writeDays(time.days);
  const city = time.timezone.split("/").at(-1)?.replaceAll("_", " ") ?? "…";
  if (time.from === "" && time.to === "") return texts.weekly(days, city);
  return texts.weeklyHours(days, time.from || "00:00", time.to || "24:00", city);
}

function writeRange({ after, before }: RangeTime): string {
  if (after === "" && before === "") return "…";
  if (after === "") return texts.before(formatInstant(before));
  if (before === "") return texts.after(formatInstant(after));
  return texts.between(formatInstant(after), formatInstant(before));
}

function writeValue(condition: ConditionValues): string {
  if (condition.field === "time") return writeTime(condition.time);
  if (condition.field !== "query") return writeValues(condition.field, condition.values);
  const name = condition.name.trim() || "…";
  return condition.value === null ? name : `${name}=${condition.value}`;
}

/** A sentence's parts; what tells one rule from another stands out. */
export type Part = string | { readonly value: string };

const fill = (text: string, holes: Readonly<Record<string, readonly Part[]>>): readonly Part[] =>
  text.split(/\{(\w+)\}/).flatMap((part, index) => (index % 2 === 0 ? part || [] : (holes[part] ?? [])));

const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === "string" ? part : part.value)).join("");

const writeCondition = (condition: ConditionValues, holds: boolean): readonly Part[] => {
  const words = conditionWords[condition.field];
  return fill(condition.negated === holds ? words.fails : words.holds, { value: [{ value: writeValue(condition) }] });
};

/** Why a condition doesn't hold: the opposite of what it asks for. */
export const describeFailure = (condition: ConditionValues): string => textOf(writeCondition(condition, false));

/** A rule in words: "If the country is Germany, go to example.de". */
export function describeRule({ conditions, ways }: RuleValues): readonly Part[] {
  // Without commas, which the values have.
  const [first, ...others] = conditions.map((condition) => writeCondition(condition, true));
  const asked = first && others.reduce((before, next) => fill(texts.both, { first: before, second: next }), first);
  const address = (url: string) => [{ value: formatAddress(url) || "…" }];
  const [only] = ways;
  if (ways.length === 1 && only) {
    const to = { address: address(only.destination_url) };
    return asked ? fill(texts.go, { conditions: asked, ...to }) : fill(texts.everyone, to);
  }
  const shares = percentagesOf(ways);
  const sent = ways.map(({ destination_url }, index) =>
    fill(texts.way, { share: [formatShare(shares[index] ?? 0)], address: address(destination_url) }),
  );
  const split = lists.and
    .formatToParts(sent.map((_, index) => String(index)))
    .flatMap(({ type, value }) => (type === "element" ? (sent[Number(value)] ?? []) : value));
  return asked ? fill(texts.split, { conditions: asked, ways: split }) : fill(texts.splitEveryone, { ways: split });
}

export const ruleText = (rule: RuleValues): string => textOf(describeRule(rule));

const wholePercent = new Intl.NumberFormat(locale, { style: "percent" });
const finePercent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });

export const formatShare = (percent: number): string =>
  (percent < 10 ? finePercent : wholePercent).format(percent / 100);
