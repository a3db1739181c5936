import type { ConsoleLanguage } from "#shared/console-languages.ts";

export const language: ConsoleLanguage = "de";
