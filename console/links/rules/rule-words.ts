import { nameValue } from "#console/reports/dimensions.ts";
import { formatAddress, formatInstant } from "#console/ui/format.ts";
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
  /** In the menu, and before its values. */
  readonly label: string;
  readonly is: string;
  readonly isNot: string;
  /** Explains what is meant where the label can't. */
  readonly hint?: string;
}

export const conditionWords: Readonly<Record<ConditionField, ConditionWords>> = {
  country: { label: "Country", is: "the country is", isNot: "the country isn’t" },
  language: {
    label: "Language",
    is: "the language is",
    isNot: "the language isn’t",
    hint: "The browser’s first choice. German includes Austrian German.",
  },
  device: { label: "Device", is: "the device is", isNot: "the device isn’t" },
  os: { label: "System", is: "the system is", isNot: "the system isn’t" },
  browser: { label: "Browser", is: "the browser is", isNot: "the browser isn’t" },
  referrer: {
    label: "Referrer",
    is: "they come from",
    isNot: "they don’t come from",
    hint: "The site with the link. example.com includes news.example.com.",
  },
  source: { label: "Via", is: "they come via", isNot: "they don’t come via" },
  query: {
    label: "Query parameter",
    is: "the query has",
    isNot: "the query doesn’t have",
    hint: "What follows the ? of the short link, such as ?ref=app.",
  },
  time: { label: "Time", is: "it’s", isNot: "it isn’t" },
};

export const dayNames: Readonly<Record<string, string>> = {
  mon: "Mon",
  tue: "Tue",
  wed: "Wed",
  thu: "Thu",
  fri: "Fri",
  sat: "Sat",
  sun: "Sun",
};
const dayOrder = Object.keys(dayNames);

/** In lower case where it is no name. */
const inSentence: Readonly<Record<string, string>> = { Desktop: "desktop", Mobile: "mobile", Tablet: "tablet" };

export const listWords = (words: readonly string[], last: "or" | "and"): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;

const SHOWN_MAX = 4;

function writeValues(field: ListField, values: readonly string[]): string {
  if (values.length === 0) return "…";
  const words = values.map((value) => nameValue(field, value)).map((word) => inSentence[word] ?? word);
  if (field === "source")
    return listWords(
      words.map((word) => (word === "Link" ? "a link" : "a QR code")),
      "or",
    );
  if (words.length <= SHOWN_MAX) return listWords(words, "or");
  return `${words.slice(0, SHOWN_MAX - 1).join(", ")} or ${words.length - SHOWN_MAX + 1} others`;
}

/** Days in a row as a range. */
function writeDays(days: readonly string[]): string {
  const at = dayOrder.flatMap((day, index) => (days.includes(day) ? [index] : []));
  if (at.length === 0 || at.length === dayOrder.length) return "any day";
  const [first = 0] = at;
  const isRow = at.length > 2 && at.every((index, no) => index === first + no);
  const names = at.map((index) => dayNames[dayOrder[index] ?? ""] ?? "");
  return isRow ? `${names[0]}–${names.at(-1)}` : listWords(names, "or");
}

function writeTime(time: WeeklyTime | RangeTime): string {
  if (time.kind === "range") {
    if (time.after === "" && time.before === "") return "…";
    return [
      time.after !== "" && `after ${formatInstant(time.after)}`,
      time.before !== "" && `before ${formatInstant(time.before)}`,
    ]
      .filter((part) => part !== false)
      .join(" and ");
  }
  const hours = time.from === "" && time.to === "" ? "" : ` ${time.from || "00:00"}–${time.to || "24:00"}`;
  return `${writeDays(time.days)}${hours} in ${time.timezone.split("/").at(-1)?.replaceAll("_", " ") ?? "…"}`;
}

function writeValue(condition: ConditionValues): string {
  if (condition.field === "time") return writeTime(condition.time);
  if (condition.field !== "query") return writeValues(condition.field, condition.values);
  const name = condition.name.trim() || "…";
  return condition.value === null ? name : `${name}=${condition.value}`;
}

/** Why a condition doesn't hold: the opposite of what it asks for. */
export function describeFailure(condition: ConditionValues): string {
  const { is, isNot } = conditionWords[condition.field];
  return `${condition.negated ? is : isNot} ${writeValue(condition)}`;
}

/** A sentence's parts; what tells one rule from another stands out. */
export type Part = string | { readonly value: string };

/** A rule in words: "If the country is Germany, go to example.de". */
export function describeRule({ conditions, ways }: RuleValues): readonly Part[] {
  const asked = conditions.flatMap((condition, index): Part[] => {
    const { is, isNot } = conditionWords[condition.field];
    const verb = condition.negated ? isNot : is;
    return [`${index === 0 ? "If " : " and "}${verb} `, { value: writeValue(condition) }];
  });
  const address = (url: string) => ({ value: formatAddress(url) || "…" });
  const [only] = ways;
  if (ways.length === 1 && only) {
    return [...asked, conditions.length > 0 ? ", go to " : "Everyone goes to ", address(only.destination_url)];
  }
  const shares = percentagesOf(ways);
  const split = ways.flatMap(({ destination_url }, index): Part[] => [
    `${index === 0 ? "" : index === ways.length - 1 ? " and " : ", "}${formatShare(shares[index] ?? 0)} to `,
    address(destination_url),
  ]);
  return [...asked, conditions.length > 0 ? ", send " : "Send ", ...split];
}

export const ruleText = (rule: RuleValues): string =>
  describeRule(rule)
    .map((part) => (typeof part === "string" ? part : part.value))
    .join("");

export const formatShare = (percent: number): string =>
  `${percent > 0 && percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent)}%`;
