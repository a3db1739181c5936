import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FieldError } from "#contract/errors.ts";
import { germanOf } from "./error-phrases.ts";
import { errorTexts } from "./errors.ts";

const root = join(import.meta.dir, "..", "..", "..");

/** Calls that name what is wrong with a field. */
const PROBLEM =
  /\b(?:bodyProblem|fieldProblem|problem|refuse|reject|report|InvalidLogo|notEmpty|filled|email|regex)\(/g;
/** A sentence in quotes; with values in it, in backticks. */
const LITERAL = /"((?:[^"\\\n]|\\.)+[.?])"|`((?:[^`\\]|\\.)+[.?])`|message: "((?:[^"\\\n]|\\.)+)"/g;

/** Files whose problems people can't cause in the console, or never see there. */
const BESIDE = /\.test\.ts$|^src\/(?:commands|http|move|redirect|runtime|engines\/(?!outbound))/;

function* sentences(): Generator<string> {
  for (const folder of ["src", "contract", "shared"]) {
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      const path = `${folder}/${file}`;
      if (!path.endsWith(".ts") || BESIDE.test(path)) continue;
      const text = readFileSync(join(root, path), "utf8").replace(/\.describe\("[^"]*"\)/g, "");
      for (const { index } of text.matchAll(PROBLEM)) {
        for (const [, plain, filled] of argumentsAt(text, index).matchAll(LITERAL)) {
          yield (plain ?? filled ?? "").replace(/\$\{[^}]*\}/g, "7").replace(/\\(.)/g, "$1");
        }
      }
    }
  }
}

/** From the bracket behind a place to the one that closes it. */
function argumentsAt(text: string, index: number): string {
  const start = text.indexOf("(", index);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")" && --depth === 0) return text.slice(start, at);
  }
  return text.slice(start);
}

test("whatever the server says about a field is said in German", () => {
  const found = [...new Set(sentences())].filter((text) => /^["`]?[A-Z7`"]/.test(text) && text.includes(" "));
  expect(found.length).toBeGreaterThan(60);
  expect(found.filter((text) => germanOf(text) === undefined)).toEqual([]);
});

const field = (code: FieldError["code"], message: string) => errorTexts.field({ code, message });

test("values stay in it", () => {
  expect(field("too_short", "Must have at least 12 characters.")).toBe("Zu kurz: mindestens 12 Zeichen.");
  expect(field("too_long", "Must have at most 1 item.")).toBe("Zu viele: höchstens 1.");
  expect(field("too_long", "The name must have at most 100 characters.")).toBe("Name: Zu lang: höchstens 100 Zeichen.");
  expect(field("unknown_field", 'There is no such field. Did you mean "slug"?')).toContain("„slug“");
  expect(field("not_in_enum", 'No visitor has "Lynx". Did you mean "Links"?')).toBe(
    "„Lynx“ hat kein Besucher. Meinten Sie „Links“?",
  );
  expect(field("low_contrast", "The contrast is only 1.5:1. Use a darker color with a contrast of at least 3:1.")).toBe(
    "Der Kontrast ist nur 1.5:1. Wählen Sie eine dunklere Farbe mit einem Kontrast von mindestens 3:1.",
  );
});

test("what nobody translated stays in English", () => {
  expect(field("type", "The moon is full.")).toBe("The moon is full.");
});

test.each([
  [
    "plan_limit",
    'The plan "free" allows 25 active links.',
    { feature: "active_links", limit: 25 },
    "Der Tarif „free“ erlaubt 25 aktive Links.",
  ],
  [
    "plan_limit",
    "The plan allows 3 live tokens.",
    { feature: "api_tokens", limit: 3 },
    "Ihr Tarif erlaubt 3 gültige Tokens.",
  ],
  [
    "rate_limited",
    "Too many attempts. Try again in 45 s.",
    { retry_after: 45 },
    "Zu viele Versuche. Versuchen Sie es in 45 Sekunden noch einmal.",
  ],
  [
    "slug_taken",
    'The slug "x" is already taken on s.example, or was used there by a deleted link.',
    { slug: "x" },
    "Der Slug „x“ ist auf s.example schon vergeben, oder ein gelöschter Link hatte ihn.",
  ],
  [
    "domain_in_use",
    "The domain has 2 links in the trash. Delete them for good first.",
    { links: 2 },
    "Im Papierkorb sind noch 2 Links dieser Domain. Löschen Sie sie zuerst endgültig.",
  ],
  [
    "role_insufficient",
    "This needs the role admin; yours is viewer.",
    { role: "viewer", required_role: "admin" },
    "Dafür brauchen Sie die Rolle Admin; Ihre ist Betrachter.",
  ],
  [
    "last_owner",
    '"Acme" (acc_1) has no other owner. Make someone else an owner of it or delete it first.',
    undefined,
    "„Acme“ (acc_1) hat keinen anderen Inhaber. Machen Sie zuerst jemand anderen zum Inhaber oder löschen Sie es.",
  ],
  [
    "validation_failed",
    "slug: This field is required. (and 1 more)",
    {
      errors: [
        { field: "slug", code: "required", location: "body", message: "This field is required." },
        { field: "tags", code: "type", location: "body", message: "x" },
      ],
    },
    "slug: Bitte ausfüllen. (und 1 weitere)",
  ],
  [
    "not_found",
    "There is no such object in this account.",
    undefined,
    "Das gibt es in diesem Konto nicht oder nicht mehr.",
  ],
] as const)("%s: %s", (code, message, details, german) => {
  expect(errorTexts.message({ code, message, ...(details && { details }) })).toBe(german);
});

test("codes that this page doesn't know yet stay in English", () => {
  expect(errorTexts.message({ code: "moon_full" as "not_found", message: "The moon is full." })).toBe(
    "The moon is full.",
  );
});
