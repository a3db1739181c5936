import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { countryCodes } from "#contract/visitor-words.ts";

const PACKAGE = dirname(Bun.resolveSync("country-flag-icons/package.json", import.meta.dir));

export const FLAGS_LICENCE = join(PACKAGE, "LICENSE");

/**
 * Writes a flag for each country and returns their names. One folder has the hash of them all in its name, so that the
 * console finds a flag by the country's code.
 */
export function writeFlags(directory: string): { readonly folder: string; readonly files: readonly string[] } {
  const flags = countryCodes.map((code) => ({ code, bytes: readFileSync(join(PACKAGE, "3x2", `${code}.svg`)) }));
  const hash = Bun.hash(Buffer.concat(flags.map(({ bytes }) => bytes))).toString(36);
  const folder = `flags.${hash}`;
  mkdirSync(join(directory, folder));
  const files = flags.map(({ code, bytes }) => {
    const name = `${folder}/${code}.svg`;
    writeFileSync(join(directory, name), bytes);
    return name;
  });
  return { folder, files };
}
