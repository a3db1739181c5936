import { placeOf, type RuleValues } from "./rule-values.ts";

/**
 * Problems are named by places, as in `rules.0.split.1.weight`. Where rules, conditions or ways were moved, added or
 * removed, these are the places at which the same ones are now; what is gone has none.
 */
export function followRules(
  marks: ReadonlySet<string>,
  before: readonly RuleValues[],
  after: readonly RuleValues[],
): ReadonlySet<string> {
  return new Set([...marks].flatMap((mark) => placeAfter(mark, before, after) ?? []));
}

const INSIDE_RULE = /^rules\.(\d+)\.(.*)$/;

function placeAfter(mark: string, before: readonly RuleValues[], after: readonly RuleValues[]): string | undefined {
  const [, no, inside = ""] = INSIDE_RULE.exec(mark) ?? [];
  if (no === undefined) return mark;
  const was = before[Number(no)];
  const at = after.findIndex(({ key }) => key === was?.key);
  const is = after[at];
  if (!was || !is) return undefined;
  const place = inside.startsWith("when.")
    ? conditionAfter(inside.slice("when.".length), was, is)
    : wayAfter(inside, was, is);
  return place && `rules.${at}.${place}`;
}

function conditionAfter(place: string, was: RuleValues, is: RuleValues): string | undefined {
  const marked = was.conditions.find((one) => place === placeOf(one) || place.startsWith(`${placeOf(one)}.`));
  const same = is.conditions.find(({ key }) => key === marked?.key);
  return marked && same && `when.${placeOf(same)}${place.slice(placeOf(marked).length)}`;
}

const IN_SPLIT = /^split\.(\d+)\.(.*)$/;

/** A single way has its destination in the rule itself. */
function wayAfter(inside: string, was: RuleValues, is: RuleValues): string | undefined {
  const [, no, field] = IN_SPLIT.exec(inside) ?? (inside === "destination_url" ? ["", "0", inside] : []);
  if (no === undefined) return inside;
  const at = is.ways.findIndex(({ key }) => key === was.ways[Number(no)]?.key);
  if (at === -1) return undefined;
  if (is.ways.length > 1) return `split.${at}.${field}`;
  return field === "destination_url" ? field : undefined;
}
