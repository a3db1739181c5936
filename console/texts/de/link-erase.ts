import type { eraseTexts as en } from "#texts/link-erase.ts";

export const eraseTexts: typeof en = {
  title: (what) => `${what} endgültig löschen?`,
  confirm: "Endgültig löschen",
  one: "Der Link und seine Klicks werden endgültig gelöscht; niemand kann sie wiederherstellen. Seine Adresse bleibt vergeben.",
  many: "Die Links und ihre Klicks werden endgültig gelöscht; niemand kann sie wiederherstellen. Ihre Adressen bleiben vergeben.",
};
