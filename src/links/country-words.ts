import { countryCodes } from "#contract/visitor-words.ts";
import { codeNames } from "./code-names.ts";

const regions = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const nameOf = (code: string): string => regions.of(code) ?? "";

// Names in use that the library doesn't have, or has with an addition.
const otherNames = [
  ["USA", "US"],
  ["United States of America", "US"],
  ["Great Britain", "GB"],
  ["England", "GB"],
  ["UAE", "AE"],
  ["Burma", "MM"],
  ["Czech Republic", "CZ"],
  ["Holland", "NL"],
  ["Hong Kong", "HK"],
  ["Ivory Coast", "CI"],
  ["Macao", "MO"],
  ["Palestine", "PS"],
  ["Turkey", "TR"],
] as const;

const findByName = codeNames([...otherNames, ...countryCodes.map((code) => [nameOf(code), code] as const)]);
const current: ReadonlySet<string> = new Set(countryCodes);
const currentNames: ReadonlySet<string> = new Set(countryCodes.map(nameOf));

/** Regions without an ISO code, such as the Canary Islands, count. To the library, withdrawn codes and ZZ are regions, too. */
export const isCountry = (code: string): boolean =>
  current.has(code) ||
  (/^[A-Z]{2}$/.test(code) && code !== "ZZ" && nameOf(code) !== "" && !currentNames.has(nameOf(code)));

/** Of a code in lower case, a withdrawn one, a locale such as `de-AT`, or a name. */
export function nearestCountry(text: string): string | undefined {
  const [, code] = /(?:^|[-_])([A-Z]{2})$/.exec(text.trim().toUpperCase()) ?? [];
  if (code === undefined) return findByName(text);
  return isCountry(code) ? code : findByName(nameOf(code));
}
