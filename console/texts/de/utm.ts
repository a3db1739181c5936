import type { utmTexts as en } from "#texts/utm.ts";

export const utmTexts: typeof en = {
  templates: "Vorlagen",
  none: "Füllen Sie die Parameter aus und speichern Sie sie hier für den nächsten Link. Alle im Konto können sie nutzen.",
  delete: (name) => `Vorlage ${name} löschen`,
  name: "Name der Vorlage",
  saveAs: "Speichern als",
  save: "Speichern",
  saved: (name) => `Vorlage „${name}“ gespeichert.`,
  deleted: (name) => `Vorlage „${name}“ gelöscht.`,
};
