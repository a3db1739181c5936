import { formatExact, plural } from "#console/ui/format.ts";
import { locale } from "#console/ui/locale.ts";
import type { importTexts as en } from "#texts/imports.ts";
import { lossInGerman } from "./import-losses.ts";
import { problemInGerman } from "./import-problems.ts";

const list = (items: readonly string[]): string => new Intl.ListFormat(locale).format(items);
const linksOf = (count: number): string => plural(count, "Link", "Links");
const clicksOf = (count: number): string => plural(count, "Klick", "Klicks");

const states: (typeof en)["states"] = {
  reading: "Wird gelesen",
  checking: "Wird geprüft",
  checked: "Bereit zum Import",
  running: "Wird importiert",
  done: "Fertig",
  cancelled: "Angehalten",
  failed: "Fehlgeschlagen",
  undoing: "Wird rückgängig gemacht",
  undone: "Rückgängig gemacht",
};

export const importTexts: typeof en = {
  what: "Importe",
  title: "Links mitbringen",
  note: "Links mit Slugs, Tags und Klicks hierher umziehen. Zuerst wird alles gelesen und geprüft. Bis Sie zustimmen, ändert sich nichts.",
  sourceList: "Wo Ihre Links sind",
  sources: {
    dub: {
      hint: "Mit einem API-Schlüssel Ihres Workspace.",
      token: "In Dub unter Settings › API Keys. Leserechte genügen.",
    },
    bitly: { hint: "Mit einem Zugriffstoken Ihres Kontos.", token: "In Bitly unter Settings › API." },
    shlink: {
      hint: "Von Ihrem Server, mit einem API-Schlüssel.",
      token: "Erstellen Sie einen mit „shlink api-key:generate“.",
    },
    kutt: {
      hint: "Von Ihrem Server mit einem API-Schlüssel oder aus einer Datenbankdatei.",
      token: "In Kutt unter Settings › API.",
    },
    yourls: {
      hint: "Von Ihrem Server mit dem Signatur-Token oder aus einem Datenbank-Dump, der auch Klicks pro Tag enthält.",
      token: "In YOURLS unter Tools › Secure passwordless API call.",
    },
    csv: {
      title: "CSV-Datei",
      hint: "Eine Tabelle aus einem beliebigen Dienst. Sie legen fest, was jede Spalte ist.",
    },
    kurz: {
      hint: "Von einem anderen Kurz oder aus dessen Export: mit Verlauf und auf die Ziffer gleichen Berichten.",
      token: "Ein Token des anderen Kontos, das Links und Berichte lesen darf.",
    },
  },
  from: (source) => `Aus ${source} importieren`,
  back: "Alle Importe",
  place: "Woher",
  places: { url: "Vom laufenden Dienst", file: "Aus einer Datei" },
  address: "Adresse",
  addressHint: (source) => `Die Adresse, unter der Ihr ${source} läuft.`,
  token: "API-Token",
  tokenHint: "Damit werden Ihre Links gelesen; gespeichert wird es nie.",
  tokenAgain: "API-Token, noch einmal",
  file: "Datei",
  linksFile: "CSV-Datei mit Links",
  csvHint: "Die erste Zeile enthält die Namen der Spalten.",
  countsFile: "CSV-Datei mit Klicks pro Tag (optional)",
  countsHint: "Spalten: slug, date, clicks und beliebige von country, referrer, device, browser und os.",
  chooseFile: "Datei wählen",
  chooseAnother: "Andere Datei wählen",
  uploading: "Wird hochgeladen",
  mapping: "Was die Spalten sind",
  mappingNote: "Die ersten Zeilen der Datei. Ändern Sie, was falsch erraten wurde.",
  preview: "Vorschau der Datei",
  fieldOf: (column) => `Feld der Spalte ${column}`,
  leftOut: "Auslassen",
  fields: {
    slug: "Slug",
    short_url: "Kurze Adresse",
    destination_url: "Ziel",
    title: "Titel",
    tags: "Tags",
    notes: "Notizen",
    created_at: "Erstellt",
    expires_at: "Ablauf",
    starts_at: "Beginn",
    max_clicks: "Klicklimit",
    state: "Status",
    clicks: "Klicks",
    id: "ID",
    external_id: "Externe ID",
  },

  options: "Optionen",
  onConflict: "Wenn ein Slug hier vergeben oder nicht erlaubt ist",
  policies: {
    skip: { label: "Auslassen", note: "Ihr eigener Link bleibt, wie er ist." },
    suffix: { label: "Endung anhängen", note: "Der importierte Link heißt dann zum Beispiel sale-2." },
    fail: { label: "Nichts importieren", note: "Es passiert nichts, solange es Konflikte gibt." },
  },
  domain: "Domain",
  domainHint: "Für Links, deren eigene Domain hier nicht Ihre ist.",
  tag: "Tag",
  tagHint: "Bekommt jeder importierte Link, damit Sie sie finden. Optional.",
  withClicks: "Klicks importieren",
  withClicksNote: "Als Anzahl pro Tag. Sie stehen in allen Berichten über diese Tage.",
  sendsEvents: "Webhooks senden",
  sendsEventsNote: "Ein Ereignis link.created für jeden Link, als hätten Sie ihn erstellt.",
  check: "Lesen und prüfen",
  checkNote: "Erstellt noch nichts.",

  steps: states,
  goesOn: "Sie können diese Seite verlassen. Der Import geht weiter.",
  readProgress: (links, counts) => `${linksOf(links)} und ${counts} Klickzahlen gelesen`,
  runProgress: (done, all, clicks) => `${formatExact(done)} von ${linksOf(all)}, ${clicksOf(clicks)}`,
  cancel: "Anhalten",

  checkedTitle: "Was passieren wird",
  checkedNote: "Noch ist nichts erstellt.",
  outcomes: {
    willCreate: "Links werden erstellt",
    created: "Links erstellt",
    clicks: "Klicks hinzugefügt",
    counts: "Klickzahlen kommen hinzu",
    renamed: "Bekommen einen anderen Slug",
    renamedNote: "Ihrer ist vergeben oder nicht erlaubt.",
    before: "Früher importiert",
    beforeNote: "Sie bleiben, wie sie sind.",
    conflicts: "Slug vergeben oder nicht erlaubt",
    conflictsNote: "Sie werden ausgelassen.",
    refused: "Lassen sich nicht importieren",
  },
  hostsTitle: "Kurze Links auf anderen Domains",
  hostsNote: (hosts) =>
    `${list(hosts)} ${hosts.length === 1 ? "ist keine Domain" : "sind keine Domains"} dieses Kontos. Links von dort bekommen hier Ihre Domain. Gehört sie Ihnen, fügen Sie sie zuerst hinzu: Gedruckte und geteilte Links funktionieren dann weiter, sobald sie hierher zeigt.`,
  toDomains: "Domain hinzufügen",
  losses: "Was sich nicht übernehmen lässt",
  loss: (what, links) => `${lossInGerman(what)} (${linksOf(links)})`,
  run: (links) => `${linksOf(links)} importieren`,
  discard: "Verwerfen",
  problem: problemInGerman,
  problems: "Probleme herunterladen",

  results: {
    done: "Import fertig",
    cancelled: "Import angehalten",
    failed: "Import fehlgeschlagen",
    undone: "Import rückgängig gemacht",
  },
  showLinks: "Links anzeigen",
  resume: "Weitermachen",
  undo: "Import rückgängig machen",
  askUndo: "Diesen Import rückgängig machen?",
  askUndoNote: (links) =>
    `${linksOf(links)}, die er erstellt hat, werden mit ihren Klicks endgültig gelöscht, samt allem, was Sie seitdem geändert haben.`,

  history: "Importe",
  createdLinks: (links) => `${linksOf(links)} erstellt`,
  states,
};
