import type { ConsoleLanguage } from "#shared/console-languages.ts";

/** That of this bundle. */
export const language: ConsoleLanguage = "en";
