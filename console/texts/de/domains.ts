import { plural } from "#console/ui/format.ts";
import type { domainTexts as en } from "#texts/domains.ts";
import { blockReasons } from "./block-reasons.ts";

/** What the server finds, which it says in English. */
const problems: readonly (readonly [pattern: RegExp, german: string])[] = [
  [
    /^The TXT record of (\S+) couldn't be looked up: (.+)\.$/,
    "Der TXT-Eintrag unter $1 konnte nicht abgefragt werden: $2.",
  ],
  [
    /^There is no TXT record at (\S+)\. New records can take a while to show\.$/,
    "Unter $1 gibt es keinen TXT-Eintrag. Neue Einträge sind manchmal erst nach einer Weile sichtbar.",
  ],
  [/^The TXT record at (\S+) has another value\.$/, "Der TXT-Eintrag unter $1 hat einen anderen Wert."],
  [
    /^Another account uses (\S+), and its TXT record is still there: remove it\.$/,
    "Ein anderes Konto nutzt $1, und sein TXT-Eintrag ist noch da: Entfernen Sie ihn.",
  ],
];

function translateProblem(message: string): string {
  const [pattern, german] = problems.find(([one]) => one.test(message)) ?? [];
  return pattern && german ? message.replace(pattern, german) : message;
}

export const domainTexts: typeof en = {
  title: "Domains",
  note: "Eigene Hostnamen für Ihre kurzen Links.",
  none: "Noch keine Domains",
  noneNote: "Fügen Sie einen Namen wie go.example.com hinzu, damit man Ihre kurzen Links als Ihre erkennt.",
  add: "Domain hinzufügen",
  all: "Alle Domains",
  linkCount: (links) => plural(links, "Link"),
  verifiedAt: (time) => `${time} bestätigt`,
  addedAt: (time) => `${time} hinzugefügt`,
  inPlan: "Domains in Ihrem Tarif",
  form: {
    name: "Domainname",
    hint: "Sie brauchen Zugriff auf die DNS-Einstellungen. Hat die Hauptdomain eine Website, nehmen Sie am besten eine Subdomain.",
  },
  badges: {
    lost: "Verloren",
    pending: "Nicht bestätigt",
    recordMissing: "Eintrag fehlt",
    verified: "Bestätigt",
    default: "Standard",
  },
  makeDefault: "Als Standard festlegen",
  stopDefault: "Nicht mehr als Standard verwenden",
  isDefault: (name) => `Neue Links nutzen ${name}.`,
  isNoDefault: (name) => `Neue Links nutzen ${name} nicht mehr als Standard.`,
  lost: {
    dns: (name, host) =>
      `Ein anderes Konto hat nachgewiesen, dass ihm ${name} gehört. Ihre kurzen Links dort liefern jetzt 404. Ist die Domain Ihre, legen Sie den TXT-Eintrag wieder an, entfernen Sie jeden anderen unter _kurz.${host} und bestätigen Sie die Domain.`,
    operator: (name) =>
      `Der Betreiber hat ${name} einem anderen Konto gegeben. Ihre kurzen Links dort liefern jetzt 404. Ist das ein Irrtum, wenden Sie sich an den Betreiber.`,
  },
  recordMissing: (name) =>
    `Der TXT-Eintrag wurde nicht gefunden. Ihre Links funktionieren weiter, aber ein anderes Konto könnte ${name} übernehmen, bis Sie ihn wiederherstellen.`,
  setup: {
    title: "Domain einrichten",
    note: "Legen Sie diese Einträge dort an, wo Sie das DNS der Domain verwalten, und prüfen Sie sie dann.",
    doneTitle: "DNS und HTTPS",
    doneNote: "Damit die Domain funktioniert, muss alles so bleiben.",
    prove: "Nachweisen, dass sie Ihnen gehört",
    proveNote:
      "Legen Sie diesen TXT-Eintrag an und behalten Sie ihn: Kurz prüft ihn täglich, und ohne ihn könnte ein anderes Konto den Namen übernehmen.",
    provedNote:
      "Legen Sie diesen TXT-Eintrag an, falls er fehlt, und behalten Sie ihn: Kurz prüft ihn täglich, und ohne ihn könnte ein anderes Konto den Namen übernehmen.",
    vouchedNote:
      "Der Betreiber dieses Servers bürgt für den Namen, daher ist dieser TXT-Eintrag nicht nötig. Mit ihm kann kein anderes Konto den Namen übernehmen.",
    point: "Auf diesen Server zeigen lassen",
    pointNote:
      "Legen Sie einen CNAME-Eintrag an. Lässt Ihr Anbieter das nicht zu, etwa bei einem Namen ohne Subdomain, nehmen Sie A- und AAAA-Einträge mit den IP-Adressen dieses Servers.",
    certificate: "Zertifikat beziehen",
    certificateNote: (name) =>
      `Um HTTPS kümmert sich der Proxy vor Kurz. Er braucht ein Zertifikat für ${name}; ein Proxy mit On-Demand-TLS bezieht es beim ersten Besuch. Öffnen sich kurze Links nicht über HTTPS, wenden Sie sich an den Betreiber dieses Servers.`,
    checkNow: "Jetzt prüfen",
    checking: "Der Eintrag wird abgefragt …",
    checkedAt: (time) => `Geprüft: ${time}`,
    isVerified: (name) => `${name} ist bestätigt.`,
    byOperator: "Vom Betreiber bestätigt.",
    notChecked: "Noch nicht geprüft. Neue Einträge sind manchmal erst nach ein paar Minuten sichtbar.",
    found: "Der Eintrag ist da.",
    problem: translateProblem,
  },
  record: {
    type: "Typ",
    name: "Name",
    value: "Wert",
    copyType: (type) => `Typ ${type} kopieren`,
    copyName: (type) => `${type}-Namen kopieren`,
    copyValue: (type) => `${type}-Wert kopieren`,
  },
  addresses: {
    title: "Andere Besucher",
    note: "Wohin Besucher kommen, die keinen gültigen Link erreichen. Ist ein Feld leer, sehen sie dasselbe wie auf der eigenen Domain dieser Instanz.",
    fields: {
      root_redirect_url: { label: "Startseite", hint: "Für Besucher, die die Domain ohne Slug öffnen." },
      not_found_redirect_url: {
        label: "Unbekannte Links",
        hint: "Für Besucher eines kurzen Links, den es nicht gibt.",
      },
      expired_redirect_url: {
        label: "Abgelaufene Links",
        hint: "Für Besucher eines Links, der abgelaufen ist oder sein Klicklimit erreicht hat.",
      },
    },
    blocked: (reason) =>
      `Der Betreiber sperrt diese Adresse (${blockReasons[reason]}), deshalb sehen Besucher die Standardseite.`,
    save: "Speichern",
    saved: "Adressen gespeichert.",
  },
  apps: {
    title: "Apps",
    note: "Damit Ihre Apps für iOS und Android diese kurzen Links öffnen können. Fügen Sie die Dokumente ein, die Sie von Ihrer App-Entwicklung bekommen.",
    documents: { apple_app_site_association: "iOS-Apps", assetlinks: "Android-Apps" },
    optional: "optional",
    servedAt: (address) => `Abrufbar unter ${address}`,
    save: "App-Dokumente speichern",
    saved: "App-Dokumente gespeichert.",
    notJson: (why) => `Das ist kein gültiges JSON: ${why}.`,
  },
  remove: {
    action: "Domain entfernen",
    note: (links) =>
      links === 0
        ? "Sie hat keine Links, also hört nichts auf zu funktionieren."
        : `Sie hat ${plural(links, "Link")}, archivierte und pausierte eingeschlossen. Löschen Sie diese, bevor Sie die Domain entfernen.`,
    question: (name) => `${name} entfernen?`,
    questionNote:
      "Die Adressen für andere Besucher werden mit gelöscht. Um den Namen wieder zu nutzen, müssen Sie ihn neu bestätigen.",
    done: (name) => `${name} entfernt.`,
    hasLinks: (name) => `${name} lässt sich noch nicht entfernen`,
    hasLinksNote: (links) =>
      `Die Domain hat noch ${plural(links, "Link")}, archivierte und pausierte eingeschlossen. Löschen Sie ${links === 1 ? "ihn" : "sie"} zuerst: Ein Link kann nicht auf eine andere Domain umziehen.`,
    showLinks: (links) => (links === 1 ? "Link anzeigen" : "Links anzeigen"),
  },
};
