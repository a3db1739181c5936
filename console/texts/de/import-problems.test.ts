import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { problemInGerman } from "./import-problems.ts";
import { importTexts } from "./imports.ts";

const src = join(import.meta.dir, "..", "..", "..", "src");

/** Where the sentences are that an import can end with. */
const PLACES = ["imports", "account-export", "links/check-slug.ts", "links/insert-with-slug.ts"];

/** What only the downloaded list of problems says, or another page. */
const BESIDE = [
  /^An earlier import, or/,
  /^The slug is now/,
  /^7 (?:can't be stored|belongs to no link)/,
  /^7: 7 as 7\.$/,
  /^There are \S+ more /,
  /^The plan /,
  /^A webhook endpoint isn't/,
  /^A domain isn't/,
  /^This slug is already taken\.$/,
];
/** Another test looks into these. */
const NOT_NOW = /notNow\(.*\)/g;

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=\s)\/\/ .*/g;
/** Within a line; templates may have others in their holes. */
const LITERAL =
  /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\$\n]|\\.|\$(?!\{)|\$\{(?:[^{}`\n]|`[^`\n]*`)*\})*)`/g;
const HOLE = /\$\{((?:[^{}`]|`[^`]*`)*)\}/g;

/** With a value in each hole: the text that it may have, if it is in the code. */
const filled = (text: string): string =>
  text.replace(HOLE, (_, code: string) => {
    const [, inner, word] = /`([^`]+)`|"(\w[^"]*)"/.exec(code) ?? [];
    return inner === undefined ? (word ?? "7") : filled(inner);
  });

function* textsIn(code: string): Generator<string> {
  let text = "";
  let end = 0;
  for (const { 0: literal, 1: double, 2: single, 3: template, index } of code.matchAll(LITERAL)) {
    const part = template === undefined ? (double ?? single ?? "") : filled(template);
    const isContinued = /^\s*\+\s*$/.test(code.slice(end, index));
    if (!isContinued) yield text;
    text = (isContinued ? text : "") + part.replace(/\\(.)/g, "$1");
    end = index + literal.length;
  }
  yield text;
}

function* sources(): Generator<string> {
  for (const place of PLACES) {
    const files = place.endsWith(".ts") ? [""] : readdirSync(join(src, place), { recursive: true, encoding: "utf8" });
    for (const path of files.map((file) => join(src, place, file))) {
      if (!path.endsWith(".ts") || path.endsWith(".test.ts")) continue;
      const code = readFileSync(path, "utf8");
      if (place !== "account-export" || code.includes("new BadArchive(")) yield code.replace(COMMENT, "");
    }
  }
}

/** A whole one, or one that ends with what another part says. */
const isSentence = (text: string): boolean => text.split(" ").length > 2 && /[.?]$|[.:] \w+$/.test(text);

test("why an import failed is said in German", () => {
  const found = [...new Set([...sources()].flatMap((code) => [...textsIn(code.replace(NOT_NOW, ""))]))]
    .filter(isSentence)
    .filter((text) => !BESIDE.some((beside) => beside.test(text)));
  expect(found.length).toBeGreaterThan(90);
  expect(found.filter((text) => problemInGerman(text) === text)).toEqual([]);
});

test("why a server didn't answer is said in German, with the system's code", () => {
  const code = readFileSync(join(src, "engines", "outbound", "outbound-client.ts"), "utf8");
  const found = [...code.matchAll(/^ {2}\w+: "(The [^"]+)",$/gm)].map(([, text]) => text ?? "");
  expect(found.length).toBeGreaterThan(6);
  for (const text of found) {
    expect(problemInGerman(`${text}.`)).not.toBe(`${text}.`);
    expect(problemInGerman(`${text} (ECODE).`)).toMatch(/^(?!The ).+ \(ECODE\)\.$/);
  }
});

test("why a file can't be read is said in German", () => {
  const code = readFileSync(join(src, "imports", "sources", "csv", "csv-text.ts"), "utf8");
  const found = [...code.matchAll(/^ {2}E[A-Z]+: "(.+)",$/gm)].map(([, reason]) => reason ?? "");
  expect(found.length).toBeGreaterThan(2);
  for (const reason of found) {
    const german = problemInGerman(`The file can't be read: ${reason}.`);
    expect(german).toStartWith("Die Datei ist nicht lesbar: ");
    expect(german).not.toContain(reason);
  }
});

test.each([
  [
    "More than 100 rows can't be read; the last one is line 12 of the clicks: The row has no slug.",
    "Mehr als 100 Zeilen sind nicht lesbar. Die letzte: Zeile 12 der Klicks. Die Zeile hat keinen Slug.",
  ],
  [
    "More than 100 rows can't be read; the last one is line 7: expires_at isn't a date such as 2026-01-31 or 2026-01-31T12:00:00Z: \"soon\".",
    "Mehr als 100 Zeilen sind nicht lesbar. Die letzte: Zeile 7. expires_at ist kein Datum wie 2026-01-31 oder 2026-01-31T12:00:00Z: „soon“.",
  ],
  [
    'It stopped at the first conflict: The slug "sale" is already taken on s.example, or was used there by a deleted link.',
    "Der Import hat beim ersten Konflikt angehalten: Der Slug „sale“ ist auf s.example schon vergeben, oder ein gelöschter Link hatte ihn.",
  ],
  [
    'It stopped at the first conflict: The slug "api" can\'t be kept. This slug is reserved.',
    "Der Import hat beim ersten Konflikt angehalten: Der Slug „api“ lässt sich nicht übernehmen. Dieser Slug ist reserviert.",
  ],
  [
    'There is no column "to". The columns are "a "b"", "c", ….',
    'Die Spalte „to“ gibt es nicht. Die Spalten sind „a "b"“, „c“, ….',
  ],
  ['There is no field "slugg". Do you mean slug?', "Das Feld „slugg“ gibt es nicht. Meinen Sie slug?"],
  [
    "Shlink can't be reached. The connection failed (ECONNREFUSED).",
    "Shlink ist nicht erreichbar. Die Verbindung ist fehlgeschlagen (ECONNREFUSED).",
  ],
  [
    "Kutt redirects to kutt.example. Enter its final URL.",
    "Kutt leitet zu kutt.example weiter. Geben Sie die endgültige Adresse an.",
  ],
  ["Dub answered with status 401: Bad key.", "Dub hat mit Status 401 geantwortet: Bad key."],
  ["Dub answered with status 502", "Dub hat mit Status 502 geantwortet."],
  [
    "YOURLS didn't answer with its list of links. Check the URL and token.",
    "YOURLS hat nicht mit seiner Liste der Links geantwortet. Prüfen Sie Adresse und Token.",
  ],
  [
    "Line 3 of links/1.jsonl isn't as exports have it: check slug.",
    "Zeile 3 von links/1.jsonl ist nicht so, wie Exporte es haben: Prüfen Sie slug.",
  ],
  ["The URL must start with https://.", "Die Adresse muss mit https:// beginnen."],
  ["The moon is full.", "The moon is full."],
])("%s", (english, german) => {
  expect(problemInGerman(english)).toBe(german);
});

test("choices are called what the pages call them", () => {
  const { policies, fields } = importTexts;
  const conflicts = problemInGerman(
    '2 slugs are taken or not allowed, so nothing was imported. Start again with "skip" or "suffix" to import the others.',
  );
  expect(conflicts).toStartWith("2 Slugs sind");
  expect(conflicts).toContain(`„${policies.skip.label}“ oder „${policies.suffix.label}“`);
  const column = 'No column looks like the destination. Choose the one that has it, as "destination_url". ';
  expect(problemInGerman(`${column}The columns are "a".`)).toContain(`„${fields.destination_url}“`);
});
