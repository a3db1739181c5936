import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const SUMS_FILE = "SHA256SUMS";

/** In the format of `sha256sum`, which can check it: `sha256sum -c SHA256SUMS`. Returns the names of the files. */
export function writeChecksums(directory: string): readonly string[] {
  const names = readdirSync(directory)
    .filter((name) => name !== SUMS_FILE)
    .toSorted();
  const lines = names.map((name) => {
    const sum = new Bun.CryptoHasher("sha256").update(readFileSync(join(directory, name))).digest("hex");
    return `${sum}  ${name}\n`;
  });
  writeFileSync(join(directory, SUMS_FILE), lines.join(""));
  return names;
}
