import type { choicesTexts as en } from "#texts/choices.ts";

export const choicesTexts: typeof en = {
  offered: (label) => `Auswahl für ${label}`,
  remove: (name) => `${name} entfernen`,
  isChosen: (name) => `${name} ist schon ausgewählt.`,
  noMatch: (plural) => `Keine passenden ${plural}.`,
};
