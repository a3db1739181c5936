import { type Condition, compileConditions } from "./conditions.ts";
import type { Rule, VisitFacts } from "./rule.ts";
import { chooseWay, shareOf } from "./split.ts";

/** Where a visit leads; `T` is whatever the destination was turned into. */
interface Target<T> {
  /** As in reports: the rule's name, followed by the way of a split. */
  readonly label: string;
  readonly target: T;
}

export interface CompiledRule<T> {
  readonly name: string;
  readonly conditions: readonly Condition[];
  readonly ways: readonly (Target<T> & { readonly weight: number })[];
}

export function compileRules<T>(rules: readonly Rule[], toTarget: (url: string) => T): readonly CompiledRule<T>[] {
  return rules.map((rule) => ({
    name: rule.name,
    conditions: compileConditions(rule.when ?? {}),
    ways:
      "split" in rule
        ? rule.split.map(({ name, weight, destination_url }) => ({
            label: `${rule.name}/${name}`,
            weight,
            target: toTarget(destination_url),
          }))
        : [{ label: rule.name, weight: 1, target: toTarget(rule.destination_url) }],
  }));
}

/** The first rule whose conditions all hold, or `null`. A visitor without a hash gets a random way of a split. */
export function decide<T>(
  rules: readonly CompiledRule<T>[],
  facts: VisitFacts,
  { linkNo, atMs, random = Math.random }: { linkNo: number; atMs: number; random?: () => number },
): Target<T> | null {
  for (const { conditions, ways } of rules) {
    if (!conditions.every(({ holds }) => holds(facts, atMs))) continue;
    const [only] = ways;
    if (ways.length === 1 && only) return only;
    return chooseWay(ways, facts.visitor === "" ? random() : shareOf(facts.visitor, linkNo));
  }
  return null;
}
