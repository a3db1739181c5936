import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, type ShippedPackage } from "./shipped-packages.ts";

const LICENCE_FILE = /^(?:un)?licen[cs]e|^copying|^notice|licen[cs]e\.txt$|_licen[cs]e$/i;
const README = /^readme/i;
/** The last section of a README, if that is where the licence is. */
const README_SECTION = /^#+ *licen[cs]e\b.*\n([\s\S]*Permission is hereby granted[\s\S]*)$/im;

/** The texts in `scripts/licences/texts`: of what comes without its own, or isn't a package. */
export const keptText = (name: string): string => readFileSync(join(import.meta.dir, "texts", `${name}.txt`), "utf8");

const MIT = (holder: string): string => keptText("MIT").replace("HOLDER", holder);

/** The licence, the notices and the copyright lines that come with a package. */
export function licenceTextsOf({ name, place }: Pick<ShippedPackage, "name" | "place">): readonly string[] {
  if (name === "bun") return [bunLicence()];
  const directory = join(ROOT, place);
  const files = readdirSync(directory).toSorted();
  const own = files
    .filter((file) => LICENCE_FILE.test(file))
    .map((file) => readFileSync(join(directory, file), "utf8"));
  if (own.length > 0) return own;
  const [, section] = README_SECTION.exec(textOfFirst(directory, files, README)) ?? [];
  if (section !== undefined) return [section];
  const { author, license } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Manifest;
  const holder = typeof author === "object" ? author.name : author;
  if (license === "MIT" && holder) return [MIT(holder)];
  throw new Error(
    `${name} has no licence text in its package; find out what its authors ask for and add it to ` +
      "scripts/licences/licence-texts.ts",
  );
}

interface Manifest {
  readonly author?: string | { readonly name: string };
  readonly license?: string;
}

const textOfFirst = (directory: string, files: readonly string[], pattern: RegExp): string => {
  const found = files.find((file) => pattern.test(file));
  return found === undefined ? "" : readFileSync(join(directory, found), "utf8");
};

/** The runtime's packages have none, but its documentation does, in the types of the same version. */
export function bunLicence(): string {
  const page = readFileSync(join(ROOT, "node_modules", "bun-types", "docs", "project", "license.mdx"), "utf8");
  return page.replace(/^---\n[\s\S]*?\n---\n/, "");
}

/** What a runtime that we ship links, and that isn't under one of the licences we allow without a word. */
export const copyleftLinesIn = (text: string): readonly string[] =>
  text.split("\n").filter((line) => /\bA?L?GPL/i.test(line) && !line.startsWith(">"));
