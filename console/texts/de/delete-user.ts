import type { deleteUserTexts as en } from "#texts/delete-user.ts";

export const deleteUserTexts: typeof en = {
  title: "Ihr Profil löschen",
  note: "Sie verlassen alle Konten, und Ihr Name und Ihre E-Mail-Adresse werden gelöscht. Konten und ihre Links bleiben.",
  delete: "Profil löschen",
  ask: "Ihr Profil löschen?",
  askNote:
    "Sie werden überall abgemeldet, und das lässt sich nicht rückgängig machen. Sind Sie der einzige Inhaber eines Kontos, machen Sie zuerst jemand anderen zum Inhaber oder löschen Sie das Konto.",
  forGood: "Endgültig löschen",
  typed: "mein profil löschen",
  done: "Ihr Profil wurde gelöscht.",
};
