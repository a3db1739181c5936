import { nameValue } from "#console/reports/dimensions.ts";
import type { Choice } from "#console/ui/choices-input.tsx";
import { fixedValues } from "#contract/analytics.ts";
import { browserNames, osNames } from "#contract/visitor-words.ts";

// ISO 3166-1, and the code that is used for Kosovo.
const COUNTRIES =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC " +
  "CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD " +
  "GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH " +
  "KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW " +
  "MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC " +
  "SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY " +
  "UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW";

// Those that browsers offer as a preference.
const LANGUAGES =
  "af am ar as az be bg bn br bs ca ceb cs cy da de dv el en eo es et eu fa fi fil fo fr fy ga gd gl gu ha haw he hi hr ht " +
  "hu hy id ig is it ja jv ka kk km kn ko ku ky la lb lo lt lv mg mi mk ml mn mr ms mt my nb ne nl nn no ny oc om or pa pl " +
  "ps pt qu rm ro ru rw sa sd si sk sl sm sn so sq sr st su sv sw ta te tg th ti tk tl tn to tr tt ug uk ur uz vi wo xh yi " +
  "yo zh zu";

export type ListField = "country" | "language" | "device" | "os" | "browser" | "referrer" | "source";

const byName = (field: "country" | "language", codes: string): readonly Choice[] =>
  codes
    .split(" ")
    .map((value) => ({ value, label: nameValue(field, value) }))
    .sort((a, b) => a.label.localeCompare(b.label, "en"));

const asNamed = (field: ListField, values: readonly string[]): readonly Choice[] =>
  values.map((value) => ({ value, label: nameValue(field, value) }));

const lists = new Map<ListField, readonly Choice[]>();

const makeChoices = (field: ListField): readonly Choice[] => {
  switch (field) {
    case "country":
      return byName(field, COUNTRIES);
    case "language":
      return byName(field, LANGUAGES);
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
