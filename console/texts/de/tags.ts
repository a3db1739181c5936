import { plural } from "#console/ui/format.ts";
import type { tagTexts as en } from "#texts/tags.ts";

const links = (count: number) => plural(count, "Link", "Links");

export const tagTexts: typeof en = {
  title: "Tags",
  note: "Ein Tag auf all seinen Links umbenennen, zwei zusammenführen oder eine Farbe wählen.",
  none: "Noch keine Tags",
  noneNote: "Geben Sie Links Tags, um sie zu ordnen. Hier stehen sie dann mit ihren Links und Klicks.",
  noMatch: "Kein passendes Tag",
  find: "Tags suchen",
  links,
  clicks: (count) => plural(count, "Klick", "Klicks"),
  showLinks: (tag) => `Links mit dem Tag ${tag}`,
  showReport: (tag) => `Bericht über das Tag ${tag}`,
  pending: "Links werden geändert …",
  edit: (tag) => `${tag} bearbeiten`,
  editShort: "Bearbeiten",
  name: "Name",
  color: "Farbe",
  automatic: "Automatisch",
  colors: {
    gray: "Grau",
    red: "Rot",
    orange: "Orange",
    yellow: "Gelb",
    green: "Grün",
    teal: "Türkis",
    blue: "Blau",
    purple: "Lila",
    pink: "Rosa",
  },
  save: "Speichern",
  saved: (tag) => `Tag „${tag}“ gespeichert.`,
  goesOn: (tag) => `Links werden in „${tag}“ überführt. Das geht von selbst weiter.`,
  askMerge: (from, to) => `„${from}“ mit „${to}“ zusammenführen?`,
  askMergeNote: (from, to) =>
    `Das Tag „${to}“ gibt es schon. Alle Links mit „${from}“ bekommen es stattdessen; danach lassen sich die beiden nicht mehr unterscheiden.`,
  merge: "Zusammenführen",
  delete: (tag) => `${tag} löschen`,
  deleteShort: "Löschen",
  askDelete: (tag) => `Tag „${tag}“ löschen?`,
  askDeleteNote: (count) =>
    count === 0 ? "Kein Link hat es." : `Es wird von ${plural(count, "Link", "Links")} entfernt. Die Links bleiben.`,
  deleted: (tag) => `Tag „${tag}“ gelöscht.`,
};
