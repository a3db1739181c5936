import { countryCodes } from "#contract/visitor-words.ts";
import { countryAliases } from "#shared/country-names.ts";
import { codeNames } from "./code-names.ts";

const regions = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const nameOf = (code: string): string => regions.of(code) ?? "";

const aliases = [...countryAliases].flatMap(([code, names]) => names.map((name) => [name, code] as const));
const findByName = codeNames([...aliases, ...countryCodes.map((code) => [nameOf(code), code] as const)]);
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
