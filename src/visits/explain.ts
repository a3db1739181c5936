import { type CompiledRule, decide } from "./decide.ts";
import type { VisitFacts } from "./rule.ts";

export interface RuleFinding {
  readonly name: string;
  /** The conditions that don't hold, as they are named in the rule. */
  readonly failed: readonly string[];
  /** Whether this is the rule that decides. */
  readonly decides: boolean;
}

export interface Explanation<T> {
  readonly findings: readonly RuleFinding[];
  /** As in reports; `null` without a rule that holds. */
  readonly label: string | null;
  readonly target: T | null;
  /** How many of all visitors who meet this rule go this way, from 0 to 1. */
  readonly chance: number;
}

/** What a visit leads to, and why: the decision is the redirect's own, and each rule is asked what spoke against it. */
export function explain<T>(
  rules: readonly CompiledRule<T>[],
  facts: VisitFacts,
  visit: { readonly linkNo: number; readonly atMs: number },
): Explanation<T> {
  const decided = decide(rules, facts, visit);
  const deciding = decided && rules.find(({ ways }) => ways.some(({ label }) => label === decided.label));
  const findings = rules.map((rule) => ({
    name: rule.name,
    failed: rule.conditions.filter(({ holds }) => !holds(facts, visit.atMs)).map(({ name }) => name),
    decides: rule === deciding,
  }));
  return {
    findings,
    label: decided?.label ?? null,
    target: decided?.target ?? null,
    chance: chanceOf(deciding, decided?.label),
  };
}

function chanceOf<T>(rule: CompiledRule<T> | null | undefined, label: string | undefined): number {
  if (!rule) return 1;
  const total = rule.ways.reduce((sum, { weight }) => sum + weight, 0);
  return (rule.ways.find((way) => way.label === label)?.weight ?? 0) / total;
}
