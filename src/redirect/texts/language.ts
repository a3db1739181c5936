import { chooseLanguage as chooseAmong } from "#shared/choose-language.ts";
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

/** The visitor's preferred language among ours. */
export const chooseLanguage = (acceptLanguage: string | null): Language => chooseAmong(acceptLanguage, languages);
