import { readFileSync } from "node:fs";
import { join } from "node:path";

const FILE = join(import.meta.dir, "common-passwords.txt");

let known: ReadonlySet<string> | null = null;

/** Whether a password is among those attackers try first; case doesn't matter. */
export function isCommonPassword(password: string): boolean {
  known ??= new Set(readFileSync(FILE, "utf8").trimEnd().split("\n"));
  return known.has(password.toLowerCase());
}
