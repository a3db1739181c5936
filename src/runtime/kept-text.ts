import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { codeOf } from "#kernel/error-codes.ts";

/** The text of a file that only this user can read; made once, and then kept for good. */
export function readKeptText(path: string, make: () => string): string {
  if (!existsSync(path)) createFile(path, make());
  return readFileSync(path, "utf8").trim();
}

/** Written aside and linked into place: a crash leaves a whole file or none, and the first of two writers wins. */
function createFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
}
