import { isTimeZone } from "#console/reports/time-zone.ts";
import { WEIGHT_MAX } from "#contract/rules.ts";
import { ruleTexts } from "#texts/rules.ts";
import { describeLeftover } from "./leftover-words.ts";
import { type ConditionValues, placeOf, type RuleValues } from "./rule-values.ts";

const { problems: texts } = ruleTexts;

/** What the schema would say less helpfully, by the API's own names for the fields. */
export function findRuleProblems(
  rules: readonly RuleValues[],
  judgeAddress: (address: string) => string | undefined,
): Record<string, string> {
  const problems: Record<string, string> = {};
  const report = (field: string, problem: string | undefined): void => {
    if (problem !== undefined) problems[field] ??= problem;
  };
  const reportNames = (named: readonly { readonly name: string }[], place: string): void => {
    const names = named.map(({ name }) => name.trim());
    for (const [at, name] of names.entries())
      if (name !== "" && names.indexOf(name) < at) report(`${place}.${at}.name`, texts.nameTwice(name));
  };
  reportNames(rules, "rules");
  for (const [no, { conditions, ways }] of rules.entries()) {
    if (ways.length > 1) reportNames(ways, `rules.${no}.split`);
    const places = new Set<string>();
    for (const condition of conditions) {
      const place = placeOf(condition);
      report(`rules.${no}.when.${place}`, places.has(place) ? texts.parameterTwice : problemOf(condition));
      places.add(place);
    }
    for (const [at, { weight, destination_url }] of ways.entries()) {
      const frame = ways.length === 1 ? `rules.${no}` : `rules.${no}.split.${at}`;
      report(`${frame}.destination_url`, judgeAddress(destination_url));
      if (ways.length > 1 && !isWeight(weight)) report(`${frame}.weight`, texts.weight(WEIGHT_MAX));
    }
  }
  return problems;
}

const isWeight = (text: string): boolean => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= WEIGHT_MAX;

function problemOf(condition: ConditionValues): string | undefined {
  if (condition.field === "query") return condition.name.trim() === "" ? texts.parameterName : undefined;
  if (condition.field !== "time") {
    if (condition.leftover) return describeLeftover(condition.field, condition.leftover);
    return condition.values.length === 0 ? texts.noValue : undefined;
  }
  const { time } = condition;
  if (time.kind === "weekly") return isTimeZone(time.timezone) ? undefined : texts.timeZone;
  if (time.after === "" && time.before === "") return texts.noTime;
  const isBackwards = time.after !== "" && time.before !== "" && Date.parse(time.after) >= Date.parse(time.before);
  return isBackwards ? texts.backwards : undefined;
}
