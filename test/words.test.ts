import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");

/** Words that English speakers don't use this way, and what they would say. */
const BETTER: Readonly<Record<string, string>> = {
  anew: "again",
  whoever: "anyone who",
  somebody: "someone",
  drawn: "generated",
  tells: "shows",
  wished: "wanted",
};
const FOUND = new RegExp(`\\b(?:${Object.keys(BETTER).join("|")})\\b`, "gi");

const filesIn = (folder: string, isRead: (name: string) => boolean): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => isRead(name) && !name.includes("node_modules"));

/** Without comments, which the transpiler drops, and without names and values, which are single words. */
const transpilers = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };
const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;
const textsIn = (code: string, loader: keyof typeof transpilers): string[] =>
  (transpilers[loader].transformSync(code).match(STRING) ?? []).filter((text) => text.includes(" "));
const readTexts = (file: string): string[] =>
  textsIn(readFileSync(join(root, file), "utf8"), file.endsWith(".tsx") ? "tsx" : "ts");

const isCode = (name: string): boolean => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\/de\/|\/migrations\//.test(name);
const isPage = (name: string): boolean => name.endsWith(".md") && !name.includes("decisions/");

const code = ["cli/src", "console", "contract", "sdk/src", "shared", "src"].flatMap((folder) =>
  filesIn(folder, isCode),
);
const pages = [...filesIn("docs", isPage), "README.md", "cli/README.md", "sdk/README.md"];

const findIn = (file: string, texts: readonly string[]): string[] =>
  texts.flatMap((text) =>
    (text.match(FOUND) ?? []).map((word) => `${file}: ${word} → ${BETTER[word.toLowerCase()]} in ${text.trim()}`),
  );

test("console, API, visitor pages and commands have no words that sound translated", () => {
  expect(code.length).toBeGreaterThan(500);
  expect(code.flatMap((file) => findIn(file, readTexts(file)))).toEqual([]);
});

test("nor do the docs", () => {
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.flatMap((page) => findIn(page, readFileSync(join(root, page), "utf8").split("\n")))).toEqual([]);
});

test("they would be found", () => {
  expect(findIn("a.ts", textsIn(`// Whoever\nconst a = { b: "starts anew at 1:00", drawn: "drawn" };`, "ts"))).toEqual([
    'a.ts: anew → again in "starts anew at 1:00"',
  ]);
});
