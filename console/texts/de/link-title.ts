import type { linkTitleTexts as en } from "#texts/link-title.ts";

export const linkTitleTexts: typeof en = {
  looking: "Titel der Seite wird gelesen …",
  suggested: "Von der Seite",
  clear: "Leeren",
  clearLabel: "Vorgeschlagenen Titel entfernen",
};
