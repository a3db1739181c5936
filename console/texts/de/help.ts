import type { helpTexts as en } from "#texts/help.ts";

export const helpTexts: typeof en = {
  title: "Tastenkürzel",
  everywhere: {
    title: "Überall",
    palette: "Befehle und Suche",
    create: "Link erstellen",
    undo: "Letzte Aktion rückgängig machen",
    help: "Diese Hilfe",
    close: "Schließen oder Feld verlassen",
  },
  list: {
    title: "In der Liste der Links",
    search: "Suchen",
    move: "Von Link zu Link",
    open: "Link öffnen",
    select: "Link auswählen",
    selectSeveral: "Mehrere auswählen",
    selectAll: "Alle Links der Liste auswählen",
    paste: "Kopierte Adresse kürzen",
  },
  singleKeys: "Kürzel mit einer einzelnen Taste",
};
