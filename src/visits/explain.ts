import { type CompiledRule, decide } from "./decide.ts";
import type { VisitFacts } from "./rule.ts";

export interface RuleFinding {
  readonly name: string;
  /** The conditions that don't hold, as they are named in the rule. */
  readonly failed: readonly string[];
  /** Whether this is the rule that decides. */
  readonly decides: boolean;
}

export interface PossibleWay<T> {
  /** `null` for a rule without a split. */
  readonly way: string | null;
  /** How many of all visitors who meet this rule go this way, from 0 to 1. */
  readonly chance: number;
  readonly target: T;
}

export interface Explanation<T> {
  readonly findings: readonly RuleFinding[];
  /** Where the rule that decides may lead; empty without one. */
  readonly ways: readonly PossibleWay<T>[];
}

/** What a visit may lead to, and why: the decision is the redirect's own, and each rule is asked what spoke against it. */
export function explain<T>(rules: readonly CompiledRule<T>[], facts: VisitFacts, atMs: number): Explanation<T> {
  const anyVisitor = { ...facts, visitor: "" };
  const decided = decide(rules, anyVisitor, { linkNo: 0, atMs, random: () => 0 });
  const deciding = decided && rules.find(({ ways }) => ways.some((way) => way === decided));
  const findings = rules.map((rule) => ({
    name: rule.name,
    failed: rule.conditions.filter(({ holds }) => !holds(facts, atMs)).map(({ name }) => name),
    decides: rule === deciding,
  }));
  return { findings, ways: deciding ? waysOf(deciding) : [] };
}

function waysOf<T>({ name, ways }: CompiledRule<T>): readonly PossibleWay<T>[] {
  const total = ways.reduce((sum, { weight }) => sum + weight, 0);
  return ways.map(({ label, weight, target }) => ({
    way: label === name ? null : label.slice(name.length + 1),
    chance: weight / total,
    target,
  }));
}
