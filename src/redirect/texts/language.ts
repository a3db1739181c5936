import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import type { PageTexts } from "./page-texts.ts";
import { pt } from "./pt.ts";

export const languages = ["en", "de", "fr", "es", "pt", "ja"] as const;
export type Language = (typeof languages)[number];

export const textsByLanguage: Readonly<Record<Language, PageTexts>> = { en, de, fr, es, pt, ja };

// Browsers send a few; parsing more would be a waste of time.
const RANGES_MAX = 20;

/** The visitor's preferred language among ours (RFC 9110 §12.5.4), by weight, then by position. */
export function chooseLanguage(acceptLanguage: string | null): Language {
  if (acceptLanguage === null) return "en";
  let chosen: Language = "en";
  let best = 0;
  for (const range of acceptLanguage.split(",", RANGES_MAX)) {
    const [tag = "", ...parameters] = range.split(";");
    const language = languages.find((known) => known === tag.trim().toLowerCase().split("-", 1)[0]);
    const weight = weightOf(parameters);
    if (language !== undefined && weight > best) [chosen, best] = [language, weight];
  }
  return chosen;
}

function weightOf(parameters: readonly string[]): number {
  const quality = parameters.map((parameter) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(parameter)?.[1]).find(Boolean);
  return quality === undefined ? 1 : Number(quality) || 0;
}
