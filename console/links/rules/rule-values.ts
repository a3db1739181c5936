import type { Link, LinkCreate } from "#contract/link-record.ts";
import type { ListField } from "./visitor-choices.ts";

export type SentRule = NonNullable<LinkCreate["rules"]>[number];
type StoredRule = Link["rules"][number];
type Conditions = NonNullable<SentRule["when"]>;
type PlainConditions = NonNullable<Conditions["not"]>;
type SentTime = NonNullable<PlainConditions["time"]>;

export interface WeeklyTime {
  readonly kind: "weekly";
  readonly days: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
}
export interface RangeTime {
  readonly kind: "range";
  /** Instants, or nothing. */
  readonly after: string;
  readonly before: string;
}

interface Frame {
  /** Keeps its place on the page while its neighbours move. */
  readonly key: string;
  readonly negated: boolean;
}
export type ListCondition = Frame & {
  readonly field: ListField;
  readonly values: readonly string[];
  /** Text that someone left in the field, and that is none of the values. */
  readonly leftover?: string;
};
/** Each parameter is a condition of its own, as it is for visitors. */
export type QueryCondition = Frame & {
  readonly field: "query";
  readonly name: string;
  /** `null` for any value. */
  readonly value: string | null;
};
export type TimeCondition = Frame & { readonly field: "time"; readonly time: WeeklyTime | RangeTime };
export type ConditionValues = ListCondition | QueryCondition | TimeCondition;
export type ConditionField = ConditionValues["field"];

export interface WayValues {
  readonly key: string;
  readonly name: string;
  readonly weight: string;
  readonly destination_url: string;
}

/** A rule as its fields show it. One way is a plain destination; several are a split. */
export interface RuleValues {
  readonly key: string;
  readonly name: string;
  readonly conditions: readonly ConditionValues[];
  readonly ways: readonly WayValues[];
}

const listFields: readonly ListField[] = ["country", "language", "device", "os", "browser", "referrer", "source"];
export const conditionFields: readonly ConditionField[] = [...listFields, "query", "time"];

let made = 0;
/** No stored name begins with it. */
const newKey = (): string => {
  made += 1;
  return `+${made}`;
};

export const newWay = (): WayValues => ({ key: newKey(), name: "", weight: "1", destination_url: "" });
export const newRule = (): RuleValues => ({ key: newKey(), name: "", conditions: [], ways: [newWay()] });

export function newCondition(field: ConditionField, timezone: string, negated: boolean): ConditionValues {
  const frame = { key: newKey(), negated };
  if (field === "query") return { ...frame, field, name: "", value: null };
  if (field !== "time") return { ...frame, field, values: [] };
  const days = ["mon", "tue", "wed", "thu", "fri"];
  return { ...frame, field, time: { kind: "weekly", days, from: "09:00", to: "17:00", timezone } };
}

/** Where the condition stands in the API's rule, as in `not.country`. */
export const placeOf = ({ field, negated, ...rest }: ConditionValues): string =>
  `${negated ? "not." : ""}${field}${"name" in rest ? `.${rest.name}` : ""}`;

export const rulesOf = (rules: readonly (StoredRule | SentRule)[]): readonly RuleValues[] =>
  rules.map(({ name = "", when, destination_url, split }) => ({
    key: name,
    name,
    conditions: [...conditionsOf(when ?? {}, false), ...conditionsOf(when?.not ?? {}, true)],
    ways: split
      ? split.map(({ name: wayName = "", weight, destination_url: url }) => ({
          key: wayName,
          name: wayName,
          weight: String(weight),
          destination_url: url,
        }))
      : [{ key: "only", name: "", weight: "1", destination_url: destination_url ?? "" }],
  }));

function conditionsOf(conditions: PlainConditions, negated: boolean): ConditionValues[] {
  const frame = (place: string) => ({ key: `${negated ? "not." : ""}${place}`, negated });
  const { query = {}, time } = conditions;
  return [
    ...listFields.flatMap((field): ListCondition[] => {
      const values = conditions[field];
      return values ? [{ ...frame(field), field, values }] : [];
    }),
    ...Object.entries(query).map(
      ([name, value]): QueryCondition => ({
        ...frame(`query.${name}`),
        field: "query",
        name,
        value: value === true ? null : value,
      }),
    ),
    ...(time ? [{ ...frame("time"), field: "time", time: timeOf(time) } satisfies TimeCondition] : []),
  ];
}

const timeOf = (time: SentTime): WeeklyTime | RangeTime =>
  "timezone" in time
    ? { kind: "weekly", days: time.days ?? [], from: time.from ?? "", to: time.to ?? "", timezone: time.timezone }
    : { kind: "range", after: time.after ?? "", before: time.before ?? "" };

/** The API's rules; `complete` turns what was typed as an address into one. */
export const toRules = (rules: readonly RuleValues[], complete: (address: string) => string): SentRule[] =>
  rules.map(({ name, conditions, ways }) => {
    const when = toConditions(conditions);
    const [only, ...others] = ways;
    return {
      ...named(name),
      ...(Object.keys(when).length > 0 && { when }),
      ...(others.length === 0
        ? { destination_url: complete(only?.destination_url ?? "") }
        : {
            split: ways.map((way) => ({
              ...named(way.name),
              weight: Number(way.weight),
              destination_url: complete(way.destination_url),
            })),
          }),
    };
  });

/** Text that is left in fields: it isn't sent, but would be lost with the form. */
export const leftoversOf = (rules: readonly RuleValues[]): readonly string[] =>
  rules.flatMap(({ conditions }, index) =>
    conditions.flatMap((condition) =>
      "leftover" in condition && condition.leftover ? [`${index}.${placeOf(condition)} ${condition.leftover}`] : [],
    ),
  );

/** What was typed, as far as a name can have it. */
export const toName = (text: string): string => text.toLowerCase().replace(/[\s_]/g, "-");

/** The name that the server gives to one that has none. */
export function nameGiven(all: readonly { readonly name: string }[], index: number, kind: "rule" | "way"): string {
  const taken = new Set(all.map(({ name }) => name));
  let unnamed = all.slice(0, index + 1).filter(({ name }) => name.trim() === "").length;
  let number = 0;
  while (unnamed > 0) {
    number += 1;
    if (!taken.has(`${kind}-${number}`)) unnamed -= 1;
  }
  return `${kind}-${Math.max(number, 1)}`;
}

/** Nobody chose it. */
export const isNameGiven = (name: string, kind: "rule" | "way"): boolean => new RegExp(`^${kind}-\\d+$`).test(name);

const named = (name: string): { name?: string } => (name.trim() === "" ? {} : { name: name.trim() });

function toConditions(conditions: readonly ConditionValues[]): Conditions {
  const plain = toPlain(conditions.filter(({ negated }) => !negated));
  const not = toPlain(conditions.filter(({ negated }) => negated));
  return { ...plain, ...(Object.keys(not).length > 0 && { not }) };
}

function toPlain(conditions: readonly ConditionValues[]): PlainConditions {
  const plain: Record<string, unknown> = {};
  for (const condition of conditions) {
    if (condition.field === "query") {
      plain.query = { ...(plain.query as object | undefined), [condition.name.trim()]: condition.value ?? true };
    } else {
      plain[condition.field] = condition.field === "time" ? toTime(condition.time) : [...condition.values];
    }
  }
  return plain as PlainConditions;
}

function toTime(time: WeeklyTime | RangeTime): SentTime {
  const { kind, ...fields } = time;
  const set = Object.entries(fields).filter(([name, value]) => value.length > 0 || name === "timezone");
  return Object.fromEntries(set) as SentTime;
}

/** Which of the two, "is" and "is not", a rule has no condition for yet. */
export function freeNegation(conditions: readonly ConditionValues[], field: ConditionField): boolean | undefined {
  if (field === "query") return false;
  return [false, true].find((negated) => !conditions.some((one) => one.field === field && one.negated === negated));
}

/** How many of a hundred visitors go each way. */
export function percentagesOf(ways: readonly WayValues[]): readonly number[] {
  const weights = ways.map(({ weight }) => Math.max(Number(weight) || 0, 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (total === 0 ? 0 : (weight / total) * 100));
}
