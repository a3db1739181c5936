import { formatExact } from "#console/ui/format.ts";
import type { settingsTexts as en } from "#texts/settings.ts";

export const settingsTexts: typeof en = {
  title: "Einstellungen",
  note: "Für alle in diesem Konto.",
  tabs: {
    general: "Allgemein",
    members: "Mitglieder",
    tags: "Tags",
    import: "Import",
    export: "Export",
    audit: "Protokoll",
  },
  personalTitle: "Persönliche Einstellungen",
  personalNote: "Für Sie, in allen Konten.",
  personalTabs: { security: "Anmeldung und Sicherheit", appearance: "Darstellung" },
  save: "Speichern",
  saved: "Gespeichert.",

  account: "Konto",
  accountNote: "Dazu gehören Links, Mitglieder, Tokens und Webhooks.",
  accountName: "Name des Kontos",
  onlyOwnersRename: "Nur Inhaber können den Namen ändern.",
  copyAccountId: "Konto-ID kopieren",

  plan: "Tarif und Nutzung",
  planNote: "Über Tarife entscheidet der Betreiber dieses Servers.",
  planName: "Tarif",
  apiAccess: "API-Zugang",
  included: "Enthalten",
  notIncluded: "Nicht enthalten",
  rateLimit: "Anfragelimit",
  noRateLimit: "Keines",
  requests: (limit, seconds) => `${formatExact(limit)} Anfragen pro Token alle ${formatExact(seconds)} s`,
  activeLinks: "Aktive Links",
  domains: "Domains",
  tokens: "API-Tokens",
  endpoints: "Webhook-Endpunkte",

  logo: "Logo",
  logoNote: (kibibytes, side) =>
    `Erscheint in der Mitte Ihrer QR-Codes. Eine PNG-Datei mit höchstens ${kibibytes} KiB und ${side} × ${side} Pixeln.`,
  logoAlt: "Das Logo des Kontos",
  chooseLogo: "PNG-Datei auswählen",
  replaceLogo: "Logo ersetzen",
  removeLogo: "Logo entfernen",
  logoTooLarge: (kibibytes) => `Ein Logo darf höchstens ${kibibytes} KiB groß sein.`,
  fileUnreadable: "Die Datei ist nicht lesbar.",

  deleteAccount: "Konto löschen",
  deleteAccountNote:
    "Seine Links leiten nicht mehr weiter, und alles darin wird endgültig gelöscht: Links, Berichte, Tokens, Webhooks und Mitglieder.",
  askDelete: (account) => `${account} löschen?`,
  askDeleteNote:
    "Alle kurzen Links dieses Kontos funktionieren sofort nicht mehr. Niemand kann es wiederherstellen, auch nicht der Betreiber.",
  deleteForGood: "Endgültig löschen",

  exportTitle: "Links",
  exportNote:
    "Alle Links des Kontos mit Ziel, Tags, Zustand und Klicks. CSV öffnen Sie in einer Tabelle; JSON enthält alle Felder wie in der API.",
  downloadCsv: "CSV herunterladen",
  downloadJson: "JSON herunterladen",
  archiveTitle: "Alles",
  archiveNote:
    "Links mit ihrem Verlauf, Domains, Tags, Webhooks ohne Geheimnisse und Klicks als Anzahl pro Viertelstunde. In ein anderes Kurz importiert, ergibt das dieselben Links und dieselben Berichte.",
  downloadArchive: "Archiv herunterladen",
  exportReports: "Um einen Bericht als CSV zu exportieren, öffnen Sie ihn und wählen Sie Ihre Filter.",

  appearance: "Darstellung",
  keptHere: "Nur in diesem Browser gespeichert.",
  theme: "Farben",
  themes: {
    system: { label: "System", note: "Hell oder dunkel, wie Ihr Gerät." },
    light: { label: "Hell" },
    dark: { label: "Dunkel" },
  },
  language: "Sprache",
  keyboard: "Tastatur",
  keyboardNote: "? zeigt auf jeder Seite alle Tastenkürzel.",
  shortcuts: "Kürzel mit einer einzelnen Taste",
  shortcutsNote: "Ausschalten, wenn Sie diktieren oder Tasten versehentlich drücken.",
};
