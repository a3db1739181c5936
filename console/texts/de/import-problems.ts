import { formatExact } from "#console/ui/format.ts";
import { germanOf } from "./error-phrases.ts";
import { type Phrase, say, translate } from "./phrase.ts";

const number = (digits: string): string => formatExact(Number(digits));

/** Why there was no answer; some have the system's code behind them. */
const withoutAnswer: Readonly<Record<string, string>> = {
  "The host's IP address is not allowed": "Die IP-Adresse des Servers ist nicht erlaubt",
  "The URL is not valid": "Die Adresse ist ungültig",
  "The host name couldn't be resolved": "Der Hostname ließ sich nicht auflösen",
  "The connection failed": "Die Verbindung ist fehlgeschlagen",
  "The secure connection failed": "Die sichere Verbindung ist fehlgeschlagen",
  "The request timed out": "Die Antwort hat zu lange gedauert",
  "The connection closed before the response": "Die Verbindung wurde vor der Antwort geschlossen",
  "The response is not valid HTTP": "Die Antwort ist kein gültiges HTTP",
  "The demo sends nothing": "Die Demo sendet nichts nach außen",
};

const answers: Readonly<Record<string, string>> = {
  JSON: "JSON",
  "its list of links": "seiner Liste der Links",
  "its list of groups": "seiner Liste der Gruppen",
  "a link's statistics": "der Statistik eines Links",
};

const reasons: Readonly<Record<string, string>> = {
  "there is no such file": "Es gibt sie nicht",
  "Kurz may not read it": "Kurz hat keinen Zugriff darauf",
  "it is a directory": "Das ist ein Verzeichnis",
};

/** Where a row is that can't be read. Names and addresses are the same in all languages. */
const places: readonly Phrase[] = [
  say("line * of the clicks", (line) => `Zeile ${line} der Klicks`),
  [/^line (\d+) of (.+)$/i, (line, file) => `Zeile ${line} von ${file}`],
  say("line *", (line) => `Zeile ${line}`),
  say("link *", (no) => `Link ${no}`),
  say("short URL *", (no) => `kurze Adresse ${no}`),
  say("a link of group *", (group) => `ein Link der Gruppe ${group}`),
  say('keyword "*"', (keyword) => `Keyword „${keyword}“`),
];

const placeInGerman = (where: string): string => translate(places, where) ?? where;

const AS_EXPORTED = "Verwenden Sie die Datei so, wie sie exportiert wurde.";

/** What the server says about an import that failed, and about a CSV file. Tests keep it complete. */
const problems: readonly Phrase[] = [
  say(
    "Reading was interrupted. Resume it with the token: it isn't stored.",
    "Das Lesen wurde unterbrochen. Geben Sie zum Weitermachen das Token ein: Es wird nicht gespeichert.",
  ),
  say(
    "What was read is no longer there. Start the import again: nothing is imported twice.",
    "Was gelesen wurde, ist nicht mehr da. Starten Sie den Import neu: Nichts wird doppelt importiert.",
  ),
  [
    /^(\d+) slugs? (?:is|are) taken or not allowed, so nothing was imported\. /,
    (count) =>
      `${count === "1" ? "1 Slug ist" : `${number(count)} Slugs sind`} vergeben oder nicht erlaubt, deshalb wurde nichts importiert. Starten Sie den Import neu und wählen Sie „Auslassen“ oder „Endung anhängen“, um die anderen zu importieren.`,
  ],
  say(
    "It stopped at the first conflict: *",
    (why) => `Der Import hat beim ersten Konflikt angehalten: ${problemInGerman(why)}`,
  ),
  [
    /^The slug "(.+?)" can't be kept\.(?: (.+))?$/s,
    (slug, why) => `Der Slug „${slug}“ lässt sich nicht übernehmen.${following(why)}`,
  ],
  say(
    'The slug "*" is already taken on *, or was used there by a deleted link.',
    (slug, domain) => `Der Slug „${slug}“ ist auf ${domain} schon vergeben, oder ein gelöschter Link hatte ihn.`,
  ),
  say(
    "Use letters, digits, - and _, with a letter or digit at both ends.",
    "Erlaubt sind Buchstaben, Ziffern, - und _, mit einem Buchstaben oder einer Ziffer an beiden Enden.",
  ),
  say("This slug is reserved.", "Dieser Slug ist reserviert."),
  say('There is no source "*".', (name) => `Die Quelle „${name}“ gibt es nicht.`),
  say(
    "There is more than fits into one import. Split it into several.",
    "Das ist mehr, als in einen Import passt. Teilen Sie es auf mehrere auf.",
  ),
  say(
    "The file has clicks of more links than fit into one import. Split it into several.",
    "Die Datei enthält Klicks von mehr Links, als in einen Import passen. Teilen Sie sie auf mehrere auf.",
  ),
  say(
    "The file has more domains than fit into one import.",
    "Die Datei enthält mehr Domains, als in einen Import passen.",
  ),
  say("Its id is too long.", "Die ID ist zu lang."),
  say(
    "An import can have at most * links. Split it into several.",
    (most) => `Ein Import kann höchstens ${number(most)} Links haben. Teilen Sie ihn auf mehrere auf.`,
  ),
  say(
    "More than * rows can't be read; the last one is *: *",
    (most, where, why) =>
      `Mehr als ${number(most)} Zeilen sind nicht lesbar. Die letzte: ${placeInGerman(where)}. ${problemInGerman(why)}`,
  ),

  say("The source can't be reached: *", (why) => `Die Quelle ist nicht erreichbar: ${problemInGerman(why)}`),
  say("* can't be reached. *", (name, why) => `${name} ist nicht erreichbar. ${problemInGerman(why)}`),
  say("The other Kurz can't be read. *", (why) => `Das andere Kurz ist nicht lesbar. ${problemInGerman(why)}`),
  ...Object.entries(withoutAnswer).map(
    ([english, german]): Phrase => [
      new RegExp(`^${english}( \\(.+\\))?\\.$`),
      (code: string | undefined) => `${german}${code ?? ""}.`,
    ],
  ),
  say(
    "* allows no more requests for now. Try again in an hour.",
    (name) => `${name} lässt gerade keine weiteren Anfragen zu. Versuchen Sie es in einer Stunde noch einmal.`,
  ),
  [
    /^(.+?) didn't answer with (JSON|its list of links|its list of groups|a link's statistics)\.(?: (.+))?$/,
    (name, what, next) => `${name} hat nicht mit ${answers[what]} geantwortet.${following(next)}`,
  ],
  say(
    "* didn't answer as its REST API does. Check the URL.",
    (name) => `${name} hat nicht so geantwortet wie seine REST-API. Prüfen Sie die Adresse.`,
  ),
  say("Check the URL.", "Prüfen Sie die Adresse."),
  say("Check the URL and token.", "Prüfen Sie Adresse und Token."),
  say("An answer of * is too large.", (name) => `Eine Antwort von ${name} ist zu groß.`),
  say("An answer of * broke off.", (name) => `Eine Antwort von ${name} brach ab.`),
  say("* redirects to another address. Enter its final URL.", (name) => redirected(name, "einer anderen Adresse")),
  say("* redirects to *. Enter its final URL.", redirected),
  say("The address redirects to another one. Enter the final one.", redirected("Die Adresse", "einer anderen")),
  say("The address redirects to *. Enter the final one.", (host) => redirected("Die Adresse", host)),
  say(
    "The other Kurz answered with status *. Try again later.",
    (status) => `Das andere Kurz hat mit Status ${status} geantwortet. Versuchen Sie es später noch einmal.`,
  ),
  // What the service says itself is in its own language.
  [
    /^(.+?) answered with status (\d+)(?:: (.+))?$/s,
    (name, status, said) => `${name} hat mit Status ${status} geantwortet${said === undefined ? "." : `: ${said}`}`,
  ],
  [
    /^Dub's (analytics|events) aren't as its API describes them\.$/,
    (what) =>
      `Die ${what === "events" ? "Ereignisse" : "Statistiken"} von Dub sind nicht so, wie seine API sie beschreibt.`,
  ],
  say(
    "A link's clicks aren't as *'s API describes them.",
    (name) => `Die Klicks eines Links sind nicht so, wie die API von ${name} sie beschreibt.`,
  ),
  say(
    "A visit isn't as *'s REST API describes it.",
    (name) => `Ein Besuch ist nicht so, wie die REST-API von ${name} ihn beschreibt.`,
  ),
  [
    /^It isn't as (.+)'s (?:REST )?API describes it\.$/,
    (name) => `Der Link ist nicht so, wie die API von ${name} ihn beschreibt.`,
  ],
  say(
    "Redirect rules aren't as Shlink's REST API describes them.",
    "Weiterleitungsregeln sind nicht so, wie die REST-API von Shlink sie beschreibt.",
  ),
  say(
    "The API key can't read folders, so links in folders are missing. Give it the scope folders.read.",
    "Der API-Schlüssel darf keine Ordner lesen, deshalb fehlen Links in Ordnern. Geben Sie ihm die Berechtigung folders.read.",
  ),
  say("It has no address or no target.", "Adresse oder Ziel fehlt."),
  say("It has no keyword or no destination.", "Keyword oder Ziel fehlt."),
  say("It has no short URL or no destination.", "Kurze Adresse oder Ziel fehlt."),
  say(
    "The API lists only * of * links. A dump of the database has them all.",
    (some, all) => `Die API nennt nur ${number(some)} von ${number(all)} Links. Ein Dump der Datenbank enthält alle.`,
  ),
  say(
    "The domain's own address isn't a link here. Set * as the domain's root redirect.",
    (url) =>
      `Die Adresse der Domain selbst ist hier kein Link. Legen Sie ${url === "it" ? "das Ziel" : url} als Startseite der Domain fest.`,
  ),
  say(
    '"*" is not a time zone. Use a name such as Europe/Berlin.',
    (zone) => `Die Zeitzone „${zone}“ gibt es nicht. Ein Beispiel: Europe/Berlin.`,
  ),

  say(
    "The other Kurz doesn't accept the token. It may have expired or been revoked.",
    "Das andere Kurz nimmt das Token nicht an. Vielleicht ist es abgelaufen oder widerrufen.",
  ),
  say(
    "The token may not export the account. It needs the scopes *.",
    (scopes) =>
      `Das Token darf das Konto nicht exportieren. Es braucht die Berechtigungen ${scopes.replace(" and ", " und ")}.`,
  ),
  say(
    "There is no Kurz at this address, or one that can't export accounts yet. Upgrade it first.",
    "Unter dieser Adresse läuft kein Kurz, oder eines, das Konten noch nicht exportieren kann. Aktualisieren Sie es zuerst.",
  ),

  say("The file isn't a SQL dump that we can read.", "Die Datei ist kein SQL-Dump, den Kurz lesen kann."),
  say(
    'The SQL dump uses the function "*", which we can\'t read.',
    (name) => `Der SQL-Dump benutzt die Funktion „${name}“, die Kurz nicht lesen kann.`,
  ),
  say("The SQL dump has a character that doesn't exist.", "Der SQL-Dump enthält ein Zeichen, das es nicht gibt."),
  say("The SQL dump breaks off in the middle.", "Der SQL-Dump bricht mittendrin ab."),
  say("The file isn't a complete SQL dump.", "Die Datei ist kein vollständiger SQL-Dump."),
  say(
    "The file has no links of *. It must be a SQL dump of its database.",
    (name) => `Die Datei enthält keine Links von ${name}. Sie muss ein SQL-Dump der Datenbank sein.`,
  ),

  say("The first row can't be read: *", (why) => `Die erste Zeile ist nicht lesbar: ${problemInGerman(why)}`),
  say(
    "The file is empty. Its first row must name the columns.",
    "Die Datei ist leer. Ihre erste Zeile muss die Namen der Spalten enthalten.",
  ),
  say(
    "More than * rows have a quote that isn't closed. Is it a CSV file?",
    (most) => `In mehr als ${number(most)} Zeilen fehlt ein schließendes Anführungszeichen. Ist das eine CSV-Datei?`,
  ),
  say("This isn't a CSV file. Save it as CSV (UTF-8).", "Das ist keine CSV-Datei. Speichern Sie sie als CSV (UTF-8)."),
  say("Name the CSV file to import.", "Wählen Sie eine CSV-Datei."),
  say(
    'The links are on several domains, so the file with clicks needs a column "domain" or "short_url".',
    "Die Links liegen auf mehreren Domains, deshalb braucht die Datei mit Klicks eine Spalte „domain“ oder „short_url“.",
  ),
  say(
    'No column looks like the destination. Choose the one that has it, as "destination_url". *',
    (columns) =>
      `Keine Spalte sieht nach dem Ziel aus. Wählen Sie bei der richtigen Spalte „Ziel“. ${problemInGerman(columns)}`,
  ),
  say(
    'The file with clicks needs a column "slug" or "short_url". *',
    (columns) => `Die Datei mit Klicks braucht eine Spalte „slug“ oder „short_url“. ${problemInGerman(columns)}`,
  ),
  say(
    'The file with clicks needs a column "*". *',
    (name, columns) => `Die Datei mit Klicks braucht eine Spalte „${name}“. ${problemInGerman(columns)}`,
  ),
  say(
    'There is no column "*". *',
    (name, columns) => `Die Spalte „${name}“ gibt es nicht. ${problemInGerman(columns)}`,
  ),
  say("The columns are *.", (names) => `Die Spalten sind ${names.replace(/"(.*?)"(?=, |$)/gs, "„$1“")}.`),
  say('There is no field "*". *', (name, hint) => `Das Feld „${name}“ gibt es nicht. ${problemInGerman(hint)}`),
  say("The fields are *.", (names) => `Die Felder sind ${names}.`),
  say("Do you mean *?", (name) => `Meinen Sie ${name}?`),
  say("The row is longer than * KB.", (most) => `Die Zeile ist länger als ${most} KB.`),
  say("The row has more than * cells.", (most) => `Die Zeile hat mehr als ${most} Zellen.`),
  say("The row has no destination.", "Die Zeile hat kein Ziel."),
  say("The row has no slug.", "Die Zeile hat keinen Slug."),
  say("The row contains a NUL character.", "Die Zeile enthält ein NUL-Zeichen."),
  say("The row isn't UTF-8 text.", "Die Zeile ist kein Text in UTF-8."),
  say("A quote isn't closed.", "Ein schließendes Anführungszeichen fehlt."),
  say("A quote is in the wrong place.", "Ein Anführungszeichen steht an der falschen Stelle."),
  [
    /^(\w+) isn't a date such as (\S+?)(?: or (\S+))?: "(.*)"\.$/s,
    (field, day, instant, text) =>
      `${field} ist kein Datum wie ${day}${instant === undefined ? "" : ` oder ${instant}`}: „${text}“.`,
  ],
  say('* isn\'t a whole number: "*".', (field, text) => `${field} ist keine ganze Zahl: „${text}“.`),
  say('* isn\'t JSON: "*".', (field, text) => `${field} ist kein JSON: „${text}“.`),

  say("This isn't an export of a Kurz account.", "Das ist kein Export eines Kurz-Kontos."),
  say(
    "This isn't an export of a Kurz account: it doesn't begin with *.",
    (file) => `Das ist kein Export eines Kurz-Kontos: Am Anfang fehlt ${file}.`,
  ),
  say(
    "The archive has version * of the format, but this release reads version *. Upgrade Kurz, then import it.",
    (has, reads) =>
      `Das Archiv hat Version ${has} des Formats, dieses Kurz liest aber Version ${reads}. Aktualisieren Sie Kurz und importieren Sie es dann.`,
  ),
  say("The archive has something after its end.", "Das Archiv geht nach seinem Ende weiter."),
  say("The archive has something after *.", (file) => `Im Archiv steht noch etwas nach ${file}.`),
  say('The archive has "*", which no export has.', (file) => `Das Archiv enthält „${file}“, was kein Export enthält.`),
  say(
    'The archive has "*" where * should be.',
    (file, expected) => `Das Archiv enthält „${file}“, wo ${expected} sein sollte.`,
  ),
  say(
    "The archive is incomplete: it ends in the middle of a file.",
    "Das Archiv ist unvollständig: Es endet mitten in einer Datei.",
  ),
  say("The archive is incomplete: its end is missing.", "Das Archiv ist unvollständig: Das Ende fehlt."),
  say("The archive is incomplete: * is missing.", (file) => `Das Archiv ist unvollständig: ${file} fehlt.`),
  say(
    "The archive is damaged: * has * records instead of *.",
    (file, found, expected) =>
      `Das Archiv ist beschädigt: ${file} hat ${number(found)} statt ${number(expected)} Einträge.`,
  ),
  say("The archive expands to far more than any export does.", "Das Archiv ist entpackt viel größer als jeder Export."),
  say(
    "The file isn't a complete gzip file: it is damaged or cut off.",
    "Die Datei ist keine vollständige gzip-Datei: Sie ist beschädigt oder abgeschnitten.",
  ),
  say("This isn't a tar archive, or it is damaged.", "Das ist kein tar-Archiv, oder es ist beschädigt."),
  say('The size of "*" can\'t be read.', (file) => `Die Größe von „${file}“ ist nicht lesbar.`),
  say(
    '"*" isn\'t where exports have it. Use the file as it was exported.',
    (file) => `„${file}“ steht nicht da, wo Exporte es haben. ${AS_EXPORTED}`,
  ),
  say(
    "The history isn't in order at version * of *. Use the file as it was exported.",
    (version, link) => `Der Verlauf von ${link} ist bei Version ${version} nicht in Ordnung. ${AS_EXPORTED}`,
  ),
  say("* is larger than any part of an export.", (file) => `${file} ist größer als jeder Teil eines Exports.`),
  [
    /^(.+?) isn't as exports have it(?:: check (.+))?\.$/s,
    (where, field) =>
      `${placeInGerman(where)} ist nicht so, wie Exporte es haben${field === undefined ? "" : `: Prüfen Sie ${field}`}.`,
  ],
  say(
    "A line of * is longer than * bytes.",
    (file, most) => `Eine Zeile von ${file} ist länger als ${number(most)} Byte.`,
  ),
  say(
    "* is incomplete: its last line has no end.",
    (file) => `${file} ist unvollständig: Die letzte Zeile hat kein Ende.`,
  ),
  say("* isn't UTF-8 text.", (file) => `${file} ist kein Text in UTF-8.`),
  say("* isn't JSON.", (where) => `${placeInGerman(where)} ist kein JSON.`),

  [
    /^(.+?) can't be read: (.+)\.$/s,
    (file, why) => `${file === "The file" ? "Die Datei" : file} ist nicht lesbar: ${reasons[why] ?? why}.`,
  ],
];

function redirected(name: string, target: string): string {
  return `${name} leitet zu ${target} weiter. Geben Sie die endgültige Adresse an.`;
}

const following = (sentence: string | undefined): string =>
  sentence === undefined ? "" : ` ${problemInGerman(sentence)}`;

/** In German; in English what nobody translated. */
export function problemInGerman(problem: string): string {
  return translate(problems, problem) ?? germanOf(problem) ?? problem;
}
