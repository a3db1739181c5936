import { searchChoices } from "#console/ui/search-choices.ts";
import { ruleTexts as texts } from "#texts/rules.ts";
import { choicesOf, type ListField } from "./visitor-choices.ts";

export const pluralOf = (field: ListField): string => texts.leftovers[field].plural;

/** Why a text that was left in the field isn't among the values. */
export function describeLeftover(field: ListField, text: string): string {
  if (field === "referrer") return texts.problems.hostName(text);
  const { none, several } = texts.leftovers[field];
  return searchChoices(choicesOf(field), text).length === 0 ? none(text) : several(text);
}
