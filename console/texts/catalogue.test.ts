import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { consoleLanguages } from "#shared/console-languages.ts";

const console = join(import.meta.dir, "..");
const filesOf = (language: string): string[] => readdirSync(join(import.meta.dir, language)).sort();

const components = readdirSync(console, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".tsx") && !/^(?:texts|gallery)\//.test(file),
);

/** JSX becomes calls, in which a text is a string among the properties. */
const transpiler = new Bun.Transpiler({ loader: "tsx" });
/** The only child, or an attribute that is shown or read aloud. */
const TEXT =
  /\b(?:children|"aria-label"|"aria-description"|label|title|placeholder|alt|note|hint|legend): "((?:[^"\\]|\\.)+)"/g;
/** One of several children, which is a line of its own, beside something else. */
const PART = /^\s*"(\s(?:[^"\\]|\\.)+|(?:[^"\\]|\\.)+\s)",?$/gm;

const textsIn = (code: string): string[] => {
  const calls = transpiler.transformSync(code);
  return [TEXT, PART].flatMap((kind) => [...calls.matchAll(kind)].map(([, text = ""]) => text)).filter(isText);
};

/** Names are the same in every language. */
const NAMES = new Set(["Kurz", "OpenAPI", "TypeScript", "Esc", "kurz users reset-link"]);

/** A word with a capital letter, or several words; anything else is code, an address or a value. */
const isText = (text: string): boolean => /^[A-Z][a-z]+|[A-Za-z]{2}.*\s|\s.*[A-Za-z]{2}/.test(text) && !NAMES.has(text);

describe("the texts of the console", () => {
  test.each(consoleLanguages.filter((language) => language !== "en"))("are all there in %s", async (language) => {
    expect(filesOf(language)).toEqual(expect.arrayContaining(filesOf("en")));
  });

  test("aren't in components", () => {
    const found = components.flatMap((file) =>
      textsIn(readFileSync(join(console, file), "utf8")).map((text) => `${file}: ${text}`),
    );
    expect(found).toEqual([]);
  });

  test("would be found there", () => {
    expect(textsIn(`const A = () => <p title="A title">Some words</p>;`)).toEqual(["A title", "Some words"]);
    expect(textsIn(`const A = () => <p>{count} links and {others} more</p>;`)).toEqual([" links and ", " more"]);
    expect(textsIn(`const A = () => <p className="flex" title={texts.title}>{texts.note}</p>;`)).toEqual([]);
  });
});
