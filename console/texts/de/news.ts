import type { newsTexts as en } from "#texts/news.ts";

export const newsTexts: typeof en = {
  title: "Neuigkeiten",
  version: (version) => `Auf diesem Server läuft Kurz ${version}.`,
  entries: {
    moving: {
      title: "Ziehen Sie um – mit Ihren Klicks",
      text: "Importieren Sie in den Einstellungen aus Bitly, Dub, Kutt, Shlink, YOURLS, einer CSV-Datei oder einem anderen Kurz, nach einem Probelauf.",
    },
    history: {
      title: "Zurück zur Version von gestern",
      text: "Der Verlauf eines Links zeigt, wer was geändert hat, und stellt jede Version wieder her.",
    },
    sharing: {
      title: "Berichte für alle",
      text: "Teilen Sie den Bericht eines Links mit Personen ohne Konto, auf Wunsch mit Passwort und Enddatum.",
    },
    audit: {
      title: "Wer hat das pausiert?",
      text: "Das Protokoll zeigt Änderungen an Links und lässt sich nach Personen, Tokens und Aktionen filtern.",
    },
    palette: {
      title: "Alles aus einem Feld",
      text: "Die Befehlssuche findet jede Seite, jede Aktion und jeden Link – mit den Wörtern, die Sie dafür benutzen.",
    },
    qr: {
      title: "QR-Codes, die zählen",
      text: "Scans werden von Klicks getrennt gezählt, Designs bleiben gespeichert, und die Konsole sagt, wie gut sich ein Code scannen lässt.",
    },
    health: {
      title: "Webhooks auf einen Blick",
      text: "Jeder Endpunkt zeigt seine letzten zwanzig Zustellungen, und das Protokoll sagt, worum es jeweils ging.",
    },
    offline: {
      title: "Auch im Zug",
      text: "Die Konsole bleibt offen, wenn Sie offline sind, und macht weiter, sobald die Verbindung wieder da ist.",
    },
  },
};
