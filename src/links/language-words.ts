import { codeNames } from "./code-names.ts";
import { isCountry } from "./country-words.ts";

const languages = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

// Codes that were replaced by others have the same names.
const currentCodes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
  (code) => languages.of(code) !== undefined && Intl.getCanonicalLocales(code)[0] === code,
);
const findByName = codeNames(currentCodes.map((code) => [languages.of(code) ?? "", code]));

/** Withdrawn codes, too: a visitor's browser may still send one. */
export const isLanguage = (code: string): boolean => /^[a-z]{2,3}$/.test(code) && languages.of(code) !== undefined;

/** Of a code in capitals, one with a region or script, that of a country, or a name. */
export function nearestLanguage(text: string): string | undefined {
  const [, code] = /^([a-z]{2,3})(?:[-_]|$)/.exec(text.trim().toLowerCase()) ?? [];
  if (code === undefined) return findByName(text);
  if (isLanguage(code)) return code;
  const country = code.toUpperCase();
  const spoken = isCountry(country) ? new Intl.Locale("und", { region: country }).maximize().language : "";
  return isLanguage(spoken) ? spoken : undefined;
}
