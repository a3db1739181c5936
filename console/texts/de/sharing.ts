import { plural } from "#console/ui/format.ts";
import type { sharingTexts as en } from "#texts/sharing.ts";

export const sharingTexts: typeof en = {
  title: (slug) => `Bericht von /${slug} teilen`,
  note: "Wer die Adresse hat, sieht den Bericht dieses Links, auch ohne Konto. Ändern lässt sich dort nichts.",
  list: "Geteilte Berichte",
  address: "Adresse",
  copyAddress: "Adresse kopieren",
  created: (ago) => `Erstellt ${ago}`,
  until: (instant) => `bis ${instant}`,
  expired: "Abgelaufen",
  password: "Passwort",
  minVisitors: (least) => `ab ${least} Besuchern`,
  previewOf: "Geteilten Bericht öffnen",
  badge: "Badge",
  badgeNote: "Ein Bild mit der aktuellen Zahl der Klicks, für eine README oder Webseite.",
  noBadge: "Kein Badge: Es würde die Klicks ohne das Passwort zeigen.",
  badgeAlt: "Vorschau des Badges",
  markdown: "Markdown",
  html: "HTML",
  copyMarkdown: "Markdown kopieren",
  copyHtml: "HTML kopieren",
  badgeWords: "Klicks",
  revoke: "Widerrufen",
  revokeLabel: (address) => `${address} widerrufen`,
  revokeQuestion: "Diesen geteilten Bericht widerrufen?",
  revokeNote:
    "Die Adresse funktioniert dann sofort nicht mehr, für niemanden. Sie können den Bericht unter einer neuen Adresse wieder teilen.",
  revoked: "Widerrufen. Die Adresse funktioniert nicht mehr.",
  remove: "Entfernen",
  removeLabel: (address) => `${address} entfernen`,
  removed: "Entfernt.",
  another: "Neue Adresse",
  optional: "optional",
  form: {
    title: "Neue Adresse",
    password: "Passwort",
    passwordHint: "Besucher geben es ein, um den Bericht zu sehen.",
    expires: "Ende",
    expiresHint: "Endet ohne Angabe nie.",
    minVisitors: "Mindestzahl an Besuchern",
    minVisitorsHint: (least) =>
      least > 1
        ? `Länder, Verweise und andere Werte mit weniger als ${plural(least, "Besucher", "Besuchern")} fehlen, und niemand kann filtern.`
        : "Führt jeden Wert auf, auch mit einem einzigen Besucher.",
    timezoneHint: "Dort beginnen die Tage des Berichts um Mitternacht.",
    create: "Adresse erstellen",
  },
};
