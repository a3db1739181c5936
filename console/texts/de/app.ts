import { formatExact } from "#console/ui/format.ts";
import type { appTexts as en } from "#texts/app.ts";

export const appTexts: typeof en = {
  skip: "Zum Inhalt",
  search: "Suchen",
  searchLabel: "Suchen und Befehle",
  navigation: "Hauptmenü",
  places: {
    links: "Links",
    reports: "Berichte",
    domains: "Domains",
    developer: "Entwickler",
    settings: "Einstellungen",
  },
  loadingPage: "Seite wird geladen",

  account: "Konto",
  personal: "Persönliche Einstellungen",
  signOut: "Abmelden",

  help: "Hilfe",
  helpWithNews: "Hilfe, mit Neuigkeiten",
  docs: "Dokumentation",
  reference: "API-Referenz",
  shortcuts: "Tastenkürzel",
  whatsNew: "Neuigkeiten",
  themes: { system: "Wie das System", light: "Helles Design", dark: "Dunkles Design" },

  unreachable:
    "Der Server ist nicht erreichbar. Was Sie sehen, ist vielleicht veraltet. Neue Seiten öffnen sich, sobald Sie wieder verbunden sind.",
  offline:
    "Sie sind offline. Was Sie sehen, ist vielleicht veraltet. Neue Seiten öffnen sich, sobald Sie wieder verbunden sind.",
  suspended: "Der Betreiber hat dieses Konto gesperrt. Seine Links leiten nicht weiter, und nichts lässt sich ändern.",
  endpointsOff: (count) =>
    count === 1
      ? "Ein Webhook-Endpunkt wurde nach Fehlern abgeschaltet."
      : `${formatExact(count)} Webhook-Endpunkte wurden nach Fehlern abgeschaltet.`,
  seeEndpoints: "Fehler ansehen",
  recordMissing: (domain) => `Der TXT-Eintrag von ${domain} fehlt.`,
  recordsMissing: (count) => `Die TXT-Einträge von ${formatExact(count)} Domains fehlen.`,
  seeDomains: "So beheben Sie das",

  crashed: "Diese Seite funktioniert nicht mehr",
  crashedNote: "Vielleicht wurde der Server inzwischen aktualisiert. Was Sie gespeichert haben, ist noch da.",
  reload: "Neu laden",
  notFound: "Hier gibt es nichts",
  notFoundNote: "Vielleicht ist die Adresse vertippt, oder was hier war, wurde gelöscht.",
  toLinks: "Zu Ihren Links",
  noAccount: "Sie gehören zu keinem Konto",
  noAccountNote: (email) => `Sie sind als ${email} angemeldet. Lassen Sie sich in ein Konto einladen.`,
};
