import type { demoTexts as en } from "#texts/demo.ts";

export const demoTexts: typeof en = {
  enterTitle: "Kurz ausprobieren",
  enterNote: (time) =>
    `Ein erfundener Gartenladen mit den Klicks eines Jahres. Ändern Sie, was Sie möchten: Um ${time} Uhr wird alles zurückgesetzt.`,
  enter: "Demo öffnen",
  backTitle: "Wieder wie neu",
  backNote:
    "Die Demo wurde gerade zurückgesetzt, wie jede Stunde. Sie sind, wo Sie vorher waren, und alle Beispieldaten sind wieder da.",
  continue: "Weiter",
  credentials: "API-Token und Zugangsdaten",
  token: "API-Token",
  sharedToken: "Das Token der Demo",
  noImports: "In der Demo können Sie nichts importieren, weil alle dasselbe Konto benutzen.",
  noTokens: "In der Demo können Sie keine Tokens erstellen, weil alle dasselbe Konto benutzen. Nehmen Sie dieses:",
  email: "E-Mail",
  password: "Passwort",

  about: "Über diese Demo",
  demo: "Demo",
  resetting: "wird zurückgesetzt …",
  resetsInMinutes: (minutes) => `noch ${minutes} Min.`,
  resetsInHours: (hours) => `noch ${hours} Std.`,
  fictional: "Hier ist alles erfunden",
  note: (time) =>
    `Erstellen, ändern und löschen Sie, was Sie möchten. Um ${time} Uhr ist alles wieder wie vorher, und Sie können mit einem Klick weitermachen. Kurze Links zeigen ihr Ziel, statt weiterzuleiten.`,

  takeTour: "Rundgang starten",
  tour: "Rundgang durch die Demo",
  endTour: "Rundgang beenden",
  step: (step, steps) => `Schritt ${step} von ${steps}`,
  back: "Zurück",
  next: "Weiter",
  done: "Fertig",
  steps: {
    list: {
      title: "Alle Links an einem Ort",
      text: "Suchen, filtern und sortieren Sie. Ein Klick auf eine Zeile öffnet den Link, einer auf die Klicks seinen Bericht.",
    },
    create: {
      title: "In Sekunden erstellt",
      text: "Fügen Sie irgendwo auf dieser Seite eine lange Adresse ein, oder nehmen Sie den Knopf. QR-Code, Ablauf, Passwort und Regeln gibt es, wenn Sie sie brauchen.",
    },
    reports: {
      title: "Sehen, was ankommt",
      text: "Länder, Verweise, Geräte und Kampagnen, verglichen mit dem Zeitraum davor. Ein Klick filtert nach allem, was Sie sehen.",
    },
    api: {
      title: "Den Rest automatisieren",
      text: "Für alles gibt es eine API, dazu Webhooks und einen typisierten Client. Das Token der Demo auf dieser Seite funktioniert sofort.",
    },
  },
};
