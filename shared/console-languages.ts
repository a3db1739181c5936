/** Those the console is built in; the first is for everyone else. */
export const consoleLanguages = ["en", "de"] as const;
export type ConsoleLanguage = (typeof consoleLanguages)[number];

/** Set by the console when a language is chosen there; without it, the browser's languages decide. */
export const LANGUAGE_COOKIE = "kurz-language";
