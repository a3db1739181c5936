import type { PageTexts } from "./page-texts.ts";

export const de: PageTexts = {
  notFound: {
    title: "Diesen Link gibt es nicht",
    text: "Prüfen Sie die Adresse auf Tippfehler, oder fragen Sie nach, wo Sie sie herhaben.",
  },
  gone: {
    title: "Dieser Link ist nicht mehr verfügbar",
    text: "Er ist abgelaufen oder wurde entfernt. Bitten Sie um einen neuen, wo Sie ihn herhaben.",
  },
  tooManyMisses: {
    title: "Zu viele unbekannte Links",
    text: "Aus Ihrem Netz wurden viele Links aufgerufen, die es nicht gibt. Bitte versuchen Sie es in einer Minute noch einmal.",
  },
  tooManyRequests: {
    title: "Zu viele Anfragen",
    text: "Aus Ihrem Netz kamen zu viele Anfragen. Bitte versuchen Sie es in einer Minute noch einmal.",
  },
  tooManyPasswords: {
    title: "Zu viele falsche Passwörter",
    text: "Bitte warten Sie einige Minuten, und versuchen Sie es dann noch einmal.",
  },
  password: {
    title: "Dieser Link hat ein Passwort",
    text: "Geben Sie das Passwort ein, das Sie mit dem Link bekommen haben.",
    label: "Passwort",
    submit: "Weiter",
    wrong: "Das ist nicht das richtige Passwort.",
  },
  limited: {
    title: "Dieser Link lässt sich nur begrenzt oft öffnen",
    text: "Damit Vorschauen und andere Programme nichts davon verbrauchen, bekommen sie nur diese Seite.",
    open: "Link öffnen",
  },
  unavailable: {
    title: "Gleich wieder da",
    text: "Diese Seite lässt sich gerade nicht anzeigen. Bitte versuchen Sie es in einigen Sekunden noch einmal.",
  },
  methodNotAllowed: {
    title: "Diese Adresse lässt sich nur öffnen",
    text: "Kurze Links beantworten Anfragen dieser Art nicht.",
  },
  targetTooLong: {
    title: "Diese Adresse ist zu lang",
    text: "Kurze Links nehmen Adressen mit höchstens {max} Zeichen an.",
  },
  internalError: {
    title: "Da ist etwas schiefgegangen",
    text: "Der Fehler liegt bei uns. Bitte versuchen Sie es noch einmal.",
  },
  blocked: {
    title: "Dieser Link ist gesperrt",
    reasons: {
      malware: "Er wurde gemeldet, weil er zu Schadsoftware führt.",
      phishing:
        "Er wurde als Phishing gemeldet: Die Seite dahinter ahmt eine andere nach, um Passwörter oder persönliche Daten zu stehlen.",
      spam: "Er wurde als Spam gemeldet.",
      legal: "Er wurde aus rechtlichen Gründen gesperrt.",
      manual: "Er wurde vom Betreiber dieses Dienstes gesperrt.",
      suspended: "Das Konto, zu dem er gehört, ist gesperrt.",
    },
    notForwarded: "Zu Ihrer Sicherheit leiten wir Sie nicht weiter.",
    mistake: "Halten Sie das für einen Irrtum? Schreiben Sie an",
    subject: "Gesperrter Link auf {site}",
  },
  preview: {
    title: "Vorschau von {link}",
    heading: "Wohin dieser Link führt",
    leadsTo: "Der kurze Link {link} führt zu",
    destination: "Ziel",
    lookAlike:
      "Vorsicht: Der Name der Website enthält Buchstaben, die anderen ähneln. Wir zeigen ihn deshalb in seiner technischen Form (xn--…). Er könnte eine andere Website nachahmen.",
    varies:
      "Für diesen Link gelten Regeln: Andere Besucher, oder Sie zu einer anderen Zeit, gelangen vielleicht woandershin.",
    proceed: "Weiter",
    wrong: "Stimmt etwas nicht mit diesem Link? Melden Sie ihn an",
    subject: "Meldung zu {link}",
    demo: {
      title: "Demo: keine Weiterleitung",
      text: "Außerhalb der Demo gelangen Besucher sofort zum Ziel.",
    },
  },
};
