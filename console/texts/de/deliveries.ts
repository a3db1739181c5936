import { plural } from "#console/ui/format.ts";
import type { deliveryTexts as en } from "#texts/deliveries.ts";

export const deliveryTexts: typeof en = {
  allEndpoints: "Alle Endpunkte",
  failingSince: (day) => `Fehlerhaft seit ${day}`,
  oldSecret:
    "Das alte Geheimnis signiert noch mit und {expires}. Bis dahin müssen Empfänger eine von mehreren {v1}-Signaturen akzeptieren.",
  expires: (time) => `läuft ${time} ab`,
  clicksDropped: (clicks) =>
    `${plural(clicks, "Klick wurde", "Klicks wurden")} nicht gesendet, weil schon zu viele warteten.`,
  sendTest: "Test senden",
  testSent: "Test ist unterwegs. Das Ergebnis erscheint unten.",
  switchOn: "Einschalten",
  switchOff: "Abschalten",
  switchedOff: "Endpunkt abgeschaltet.",
  edit: "Bearbeiten",
  moreActions: "Weitere Aktionen",
  remove: {
    action: "Endpunkt löschen",
    question: "Diesen Endpunkt löschen?",
    note: "Damit löschen Sie auch sein Geheimnis, ausstehende Zustellungen und sein Protokoll. Das lässt sich nicht rückgängig machen.",
  },
  enable: {
    title: "Endpunkt einschalten",
    unknown: "Ausstehende Zustellungen",
    waiting: (deliveries) =>
      deliveries === 0
        ? "Keine ausstehenden Zustellungen"
        : plural(deliveries, "ausstehende Zustellung", "ausstehende Zustellungen"),
    sendMissed: "Verpasste Ereignisse senden",
    sendMissedNote: "Sofort nach dem Einschalten. Ereignisse, die älter als sieben Tage sind, werden nicht gesendet.",
    startFresh: "Mit neuen Ereignissen beginnen",
    startFreshNote: "Ausstehende Zustellungen entfallen; im Protokoll können Sie sie noch senden.",
  },
  recover: {
    action: "Fehlgeschlagene erneut senden",
    span: "Fehlgeschlagen in",
    hint: "Jede behält ihre ID, sodass Empfänger Doppeltes erkennen.",
    spans: {
      1: "der letzten Stunde",
      24: "den letzten 24 Stunden",
      168: "den letzten 7 Tagen",
      720: "den letzten 30 Tagen",
    },
    resend: "Erneut senden",
    done: (deliveries) =>
      deliveries === 0
        ? "In dieser Zeit ist nichts fehlgeschlagen."
        : `${plural(deliveries, "Zustellung wird", "Zustellungen werden")} erneut gesendet.`,
  },
  rotate: {
    action: "Geheimnis erneuern",
    newSecret: "Neues Geheimnis",
    oldSecret: "Altes Geheimnis",
    keep: "24 Stunden behalten",
    keepNote:
      "Zustellungen werden mit beiden signiert, während Sie die Empfänger umstellen. Diese müssen eine von mehreren v1-Signaturen akzeptieren.",
    end: "Sofort beenden",
    endNote: "Wenn es bekannt geworden ist. Empfänger weisen Zustellungen ab, bis sie das neue kennen.",
  },
  log: {
    title: "Zustellungen",
    note: "30 Tage lang gespeichert.",
    state: "Zustand",
    event: "Ereignis",
    anyOf: (label) => `${label}: alle`,
    noMatch: "Keine passenden Zustellungen",
    noMatchNote: "Versuchen Sie einen anderen Zustand oder ein anderes Ereignis.",
    none: "Noch nichts gesendet",
    noneNote: "Zustellungen erscheinen hier, sobald sie stattfinden. Senden Sie einen Test, um eine zu sehen.",
  },
  states: { pending: "Ausstehend", delivered: "Zugestellt", failed: "Fehler" },
  skipped: "Nicht gesendet",
  status: (code) => `Status ${code}`,
  problems: {
    blocked_address: "Adresse nicht erlaubt",
    invalid_url: "Ungültige Adresse",
    dns: "Host nicht gefunden",
    connect: "Keine Verbindung",
    tls: "Keine sichere Verbindung",
    timeout: "Zeit überschritten",
    reset: "Verbindung abgebrochen",
    protocol: "Ungültige HTTP-Antwort",
    skipped_demo: "Die Demo sendet nichts nach außen",
  },
  noResponse: "Keine Antwort",
  notSent: "Noch nicht gesendet",
  attemptCount: (attempts) => plural(attempts, "Versuch", "Versuche"),
  next: (time) => `nächster ${time}`,
  delivery: {
    title: "Zustellung",
    resent: "Erneut gesendet.",
    isOff: "Schalten Sie den Endpunkt ein, um sie erneut zu senden.",
    redeliver: "Erneut senden",
    nextAttempt: (time) => `nächster Versuch ${time}`,
    copyId: "Zustellungs-ID kopieren",
    attempts: "Versuche",
    payload: "Inhalt",
    manual: "manuell",
    response: "Antwort",
    responseOf: (attempt) => `Antwort auf Versuch ${attempt}`,
  },
};
