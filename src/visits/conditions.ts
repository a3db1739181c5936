import {
  type Conditions,
  type InstantRange,
  type PlainConditions,
  type VisitFacts,
  type WeeklyHours,
  weekdays,
} from "./rule.ts";
import { zoneClock } from "./zone-time.ts";

/** One condition, ready to be asked many times. */
export interface Condition {
  /** As in the rule, such as `country` or `not.os`. */
  readonly name: string;
  readonly holds: (facts: VisitFacts, atMs: number) => boolean;
}

const listed = ["country", "language", "device", "os", "browser", "source"] as const;

export function compileConditions(conditions: Conditions): readonly Condition[] {
  const excluded = compilePlain(conditions.not ?? {}).map(({ name, holds }) => ({
    name: `not.${name}`,
    holds: (facts: VisitFacts, atMs: number) => !holds(facts, atMs),
  }));
  return [...compilePlain(conditions), ...excluded];
}

function compilePlain({ query, time, referrer, ...conditions }: PlainConditions): readonly Condition[] {
  const compiled: Condition[] = [];
  for (const name of listed) {
    const values = conditions[name];
    if (values === undefined) continue;
    const wanted = new Set(values);
    compiled.push({ name, holds: (facts) => facts[name] !== "" && wanted.has(facts[name]) });
  }
  if (referrer !== undefined) compiled.push({ name: "referrer", holds: isOnSiteOf(referrer) });
  for (const [name, value] of Object.entries(query ?? {})) {
    compiled.push({ name: `query.${name}`, holds: hasParameter(name, value) });
  }
  if (time !== undefined) compiled.push({ name: "time", holds: "timezone" in time ? isAtHours(time) : isWithin(time) });
  return compiled;
}

/** The host itself, or a domain above it. */
function isOnSiteOf(sites: readonly string[]): Condition["holds"] {
  return ({ referrer }) => referrer !== "" && sites.some((site) => referrer === site || referrer.endsWith(`.${site}`));
}

function hasParameter(name: string, value: string | true): Condition["holds"] {
  return ({ url }) => {
    const mark = url.indexOf("?");
    if (mark === -1) return false;
    // The leading & keeps the parser from swallowing a question mark that belongs to the first name.
    const values = new URLSearchParams(`&${url.slice(mark + 1)}`).getAll(name);
    return value === true ? values.length > 0 : values.includes(value);
  };
}

function isWithin({ after, before }: InstantRange): Condition["holds"] {
  const afterMs = after === undefined ? Number.NEGATIVE_INFINITY : Date.parse(after);
  const beforeMs = before === undefined ? Number.POSITIVE_INFINITY : Date.parse(before);
  return (_, atMs) => atMs >= afterMs && atMs < beforeMs;
}

const DAY_MINUTES = 24 * 60;

function isAtHours({ days, from, to, timezone }: WeeklyHours): Condition["holds"] {
  const clock = zoneClock(timezone);
  const wanted = new Set((days ?? weekdays).map((day) => weekdays.indexOf(day)));
  const start = minutesOf(from, 0);
  const end = minutesOf(to, DAY_MINUTES);
  return (_, atMs) => {
    const { weekday, minuteOfDay } = clock(atMs);
    if (start < end) return wanted.has(weekday) && minuteOfDay >= start && minuteOfDay < end;
    if (minuteOfDay >= start) return wanted.has(weekday);
    // After midnight it is still the evening before.
    return minuteOfDay < end && wanted.has((weekday + 6) % 7);
  };
}

function minutesOf(time: string | undefined, otherwise: number): number {
  if (time === undefined) return otherwise;
  const [hours = "0", minutes = "0"] = time.split(":");
  return Number(hours) * 60 + Number(minutes);
}
