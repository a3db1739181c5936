import { searchChoices } from "#console/ui/search-choices.ts";
import { choicesOf, type ListField } from "./visitor-choices.ts";

const nouns: Readonly<Record<ListField, readonly [one: string, several: string]>> = {
  country: ["country", "countries"],
  language: ["language", "languages"],
  device: ["device", "devices"],
  os: ["system", "systems"],
  browser: ["browser", "browsers"],
  referrer: ["host name", "host names"],
  source: ["source", "sources"],
};

export const pluralOf = (field: ListField): string => nouns[field][1];

/** Why a text that was left in the field isn't among the values. */
export function describeLeftover(field: ListField, text: string): string {
  const [one, several] = nouns[field];
  if (field === "referrer") return `“${text}” isn’t a host name, such as example.com.`;
  return searchChoices(choicesOf(field), text).length === 0
    ? `No ${one} matches “${text}”.`
    : `Several ${several} match “${text}”. Select one.`;
}
