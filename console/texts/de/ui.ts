import type { uiTexts as en } from "#texts/ui.ts";

export const uiTexts: typeof en = {
  cancel: "Abbrechen",
  close: "Schließen",
  confirm: "Bestätigen",
  copy: "Kopieren",
  copied: "Kopiert",
  copiedWhat: (label) => `${label}: kopiert`,
  copyWhat: (what) => `${what} kopieren`,
  copyLabelled: (label) => `${label} kopieren`,
  copyBlocked: "Ihr Browser hat das Kopieren verhindert. Markieren Sie den Text stattdessen.",
  dismiss: "Ausblenden",
  undo: "Rückgängig",
  notices: "Mitteilungen",
  loading: "Wird geladen",
  notLoaded: "Das konnte nicht geladen werden",
  wentWrong: "Etwas ist schiefgegangen.",
  tryAgain: "Erneut versuchen",
  showMore: "Mehr anzeigen",
  typeToConfirm: (text) => `Zur Bestätigung „${text}“ eingeben`,
  justNow: "gerade eben",
  inAMoment: "gleich",
  controlKey: "Strg",
  usedOf: (used, limit) => `${used} von ${limit}`,
  usedWithoutLimit: (used) => `${used} · unbegrenzt`,
  lookAlike:
    "Der Name der Website enthält Buchstaben, die anderen zum Verwechseln ähnlich sehen. Darum steht er hier in technischer Form (xn--…). Vielleicht soll er eine andere Website vortäuschen.",
};
