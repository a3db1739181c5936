import { readFileSync } from "node:fs";
import { shippedFile } from "#kernel/shipped-files.ts";

let known: ReadonlySet<string> | null = null;

/** Whether a password is among those attackers try first; case doesn't matter. */
export function isCommonPassword(password: string): boolean {
  known ??= new Set(readFileSync(shippedFile("src/accounts/common-passwords.txt"), "utf8").trimEnd().split("\n"));
  return known.has(password.toLowerCase());
}
