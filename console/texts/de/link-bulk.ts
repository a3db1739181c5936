import { formatExact, plural } from "#console/ui/format.ts";
import type { bulkTexts as en } from "#texts/link-bulk.ts";

export const bulkTexts: typeof en = {
  label: "Ausgewählte Links",
  clear: "Auswahl aufheben",
  selected: (count) => `${formatExact(count)} ausgewählt`,
  allSelected: (count) => (count === 1 ? "1 Link ausgewählt" : `Alle ${formatExact(count)} Links ausgewählt`),
  totalSelected: (total) => `Alle ${total} ausgewählt`,
  selectAll: (total) => `Alle ${total} auswählen`,
  links: (count) => plural(count, "Link", "Links"),
  totalLinks: (total) => `${total} Links`,

  moves: {
    pause: {
      doing: "Wird pausiert",
      done: (links) => `${links} pausiert. Besucher sehen „Nicht gefunden“, bis Sie sie fortsetzen.`,
    },
    resume: { doing: "Wird fortgesetzt", done: (links) => `${links} fortgesetzt.` },
    archive: { doing: "Wird archiviert", done: (links) => `${links} archiviert.` },
    unarchive: { doing: "Wird aus dem Archiv geholt", done: (links) => `${links} aus dem Archiv geholt.` },
    restore: { doing: "Wird wiederhergestellt", done: (links) => `${links} wiederhergestellt.` },
    delete: { doing: "Wird gelöscht", done: (links) => `${links} in den Papierkorb gelegt.` },
    erase: { doing: "Wird gelöscht", done: (links) => `${links} endgültig gelöscht.` },
  },
  erase: "Endgültig löschen",
  undoing: "Wird rückgängig gemacht",
  finding: "Links werden gesucht",
  found: (doing, count) => `${doing}: ${count}`,
  progress: (doing, done, of) => `${doing}: ${done} von ${of}`,

  deleteAll: {
    title: (total) => `${total} Links löschen?`,
    confirm: "Links löschen",
    note: (days) =>
      `Das betrifft alle passenden Links, auch die weiter unten in der Liste. Sie funktionieren sofort nicht mehr und bleiben ${days} Tage im Papierkorb.`,
  },
  failed: (count) =>
    count === 1 ? "1 Link konnte nicht geändert werden:" : `${formatExact(count)} Links konnten nicht geändert werden:`,
  undoFailed: (count, reason) =>
    count === 1
      ? `1 Link konnte nicht zurückgeändert werden: ${reason}`
      : `${formatExact(count)} Links konnten nicht zurückgeändert werden: ${reason}`,
  unchanged: "Es gab nichts zu ändern.",
  moreFailed: (count) => (count === 1 ? "und 1 weiterer" : `und ${formatExact(count)} weitere`),
  unanswered: "Der Server hat für diesen Link nicht geantwortet.",

  tags: {
    button: "Tag",
    label: "Ausgewählte Links taggen",
    tagging: "Wird getaggt",
    tagged: (links, tag) => `${links} mit „${tag}“ getaggt.`,
    removed: (links, tag) => `„${tag}“ von ${links} entfernt.`,
    mode: "Aktion",
    modes: { add: "Hinzufügen", remove: "Entfernen" },
    findOrCreate: "Tag suchen oder erstellen",
    find: "Tag suchen",
    list: "Tags",
    create: (tag) => `„${tag}“ erstellen`,
    none: "Noch hat kein Link ein Tag.",
    noMatch: "Keine passenden Tags.",
  },
};
