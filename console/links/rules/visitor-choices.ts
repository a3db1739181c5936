import { nameValue } from "#console/reports/dimensions.ts";
import { locale } from "#console/ui/locale.ts";
import type { Choice } from "#console/ui/search-choices.ts";
import { fixedValues } from "#contract/analytics.ts";
import { browserNames, countryCodes, osNames } from "#contract/visitor-words.ts";
import { countryAliases } from "#shared/country-names.ts";

// Those that browsers offer as a preference.
const LANGUAGES =
  "af am ar as az be bg bn br bs ca ceb cs cy da de dv el en eo es et eu fa fi fil fo fr fy ga gd gl gu ha haw he hi hr ht " +
  "hu hy id ig is it ja jv ka kk km kn ko ku ky la lb lo lt lv mg mi mk ml mn mr ms mt my nb ne nl nn no ny oc om or pa pl " +
  "ps pt qu rm ro ru rw sa sd si sk sl sm sn so sq sr st su sv sw ta te tg th ti tk tl tn to tr tt ug uk ur uz vi wo xh yi " +
  "yo zh zu";

export type ListField = "country" | "language" | "device" | "os" | "browser" | "referrer" | "source";

const byName = (field: "country" | "language", codes: readonly string[]): readonly Choice[] =>
  codes
    .map((value) => ({ value, label: nameValue(field, value) }))
    .sort((a, b) => a.label.localeCompare(b.label, locale));

const asNamed = (field: ListField, values: readonly string[]): readonly Choice[] =>
  values.map((value) => ({ value, label: nameValue(field, value) }));

const lists = new Map<ListField, readonly Choice[]>();

const makeChoices = (field: ListField): readonly Choice[] => {
  switch (field) {
    case "country":
      return byName(field, countryCodes).map((choice) => ({
        ...choice,
        aliases: countryAliases.get(choice.value) ?? [],
      }));
    case "language":
      return byName(field, LANGUAGES.split(" "));
    case "device":
    case "source":
      return asNamed(field, fixedValues[field]);
    case "os":
      return asNamed(field, osNames);
    case "browser":
      return asNamed(field, browserNames);
    case "referrer":
      return [];
  }
};

/** The values that visitors can have, by name. */
export function choicesOf(field: ListField): readonly Choice[] {
  const made = lists.get(field) ?? makeChoices(field);
  lists.set(field, made);
  return made;
}
