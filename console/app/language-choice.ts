import { type ConsoleLanguage, LANGUAGE_COOKIE } from "#shared/console-languages.ts";

/** In their own words, so that people find theirs on a page they can't read. */
export const languageNames: Readonly<Record<ConsoleLanguage, string>> = { en: "English", de: "Deutsch" };

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Loads the page in another language, now and whenever it is opened in this browser. */
export function chooseLanguage(language: ConsoleLanguage): void {
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: browsers without the Cookie Store API are still in use
  document.cookie = `${LANGUAGE_COOKIE}=${language}; path=/console; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
  location.reload();
}
