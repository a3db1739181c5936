import type { paletteTexts as en } from "#texts/palette.ts";

export const paletteTexts: typeof en = {
  title: "Befehle",
  search: "Links und Befehle suchen",
  placeholder: "Link suchen oder Befehl eingeben",
  whichLink: "Welcher Link?",
  askingFor: (verb) => `${verb} …`,
  whichLinkFor: (verb) => `${verb}: Welcher Link?`,
  results: "Ergebnisse",
  searching: "Suche läuft …",
  nothing: "Nichts gefunden.",
  groups: {
    actions: "Aktionen",
    pages: "Gehe zu",
    accounts: "Konto wechseln",
    appearance: "Darstellung",
    help: "Hilfe",
    links: "Gefundene Links",
  },
  pages: {
    links: { label: "Links", keywords: "kurze adressen urls liste startseite" },
    reports: {
      label: "Berichte",
      keywords: "auswertung statistik analytics reports klicks besucher diagramme qr scans",
    },
    domains: { label: "Domains", keywords: "host name dns marke" },
    tokens: { label: "API-Tokens", keywords: "entwickler schlüssel key secret zugang" },
    webhooks: { label: "Webhooks", keywords: "entwickler endpunkte zustellungen ereignisse events" },
    api: { label: "API-Schnellstart", keywords: "entwickler doku anleitung curl sdk client adresse limits" },
    settings: {
      label: "Kontoeinstellungen",
      keywords: "allgemein settings umbenennen logo tarif nutzung limits konto löschen",
    },
    members: { label: "Mitglieder", keywords: "einstellungen personen team benutzer rollen einladungen" },
    tags: { label: "Tags", keywords: "einstellungen umbenennen zusammenführen farbe ordnen" },
    import: { label: "Import", keywords: "einstellungen umziehen dub bitly shlink kutt yourls csv hochladen" },
    export: { label: "Export", keywords: "einstellungen herunterladen download csv json sicherung backup alle links" },
    audit: { label: "Protokoll", keywords: "einstellungen verlauf audit log aktivität wer geändert pausiert" },
    security: {
      label: "Anmeldung und Sicherheit",
      keywords:
        "persönliche einstellungen profil passwort e-mail email adresse name passkeys zwei-faktor 2fa authenticator sitzungen",
    },
    appearance: {
      label: "Darstellung",
      keywords:
        "persönliche einstellungen farben design dunkel hell sprache language englisch deutsch tastatur tastenkürzel",
    },
  },
  elsewhere: {
    archived: { label: "Archivierte Links", keywords: "archiv archive alte" },
    deleted: { label: "Papierkorb", keywords: "gelöschte links trash wiederherstellen" },
  },
  additions: {
    link: { label: "Link erstellen", keywords: "neu neuer kürzen hinzufügen anlegen url" },
    token: { label: "API-Token erstellen", keywords: "neu neuer schlüssel key secret entwickler" },
    webhook: { label: "Webhook-Endpunkt hinzufügen", keywords: "neu neuer entwickler ereignisse events" },
    member: { label: "Jemanden einladen", keywords: "neu neues mitglied personen team benutzer hinzufügen" },
    domain: { label: "Domain hinzufügen", keywords: "neu neue host name dns" },
  },
  verbs: {
    qr: { label: "QR-Code eines Links", keywords: "scan drucken herunterladen png svg" },
    report: { label: "Bericht eines Links", keywords: "auswertung statistik analytics klicks" },
    copy: { label: "Kurzen Link kopieren", keywords: "zwischenablage url adresse teilen" },
  },
  copied: (link) => `${link} kopiert.`,
  password: { label: "Passwort ändern", keywords: "persönlich sicherheit" },
  themeKeywords: "farben design theme modus",
  language: (name) => `Sprache: ${name}`,
  languageKeywords: "language english englisch german deutsch übersetzung",
  docsKeywords: "doku docs anleitung handbuch hilfe documentation",
  referenceKeywords: "doku docs openapi swagger",
  shortcutsKeywords: "tasten tastatur shortcuts",
  newsKeywords: "änderungen neu changelog version",
  signOutKeywords: "ausloggen logout sign out",
};
