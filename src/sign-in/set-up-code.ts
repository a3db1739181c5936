import { randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const CODE_BYTES = 20;

/** The code for creating the very first account; kept across restarts, so that the printed one keeps working. */
export function keepSetUpCode(path: string): string {
  if (!existsSync(path)) writeFileSync(path, `${randomBytes(CODE_BYTES).toString("base64url")}\n`, { mode: 0o600 });
  return readFileSync(path, "utf8").trim();
}

export function isSetUpCode(path: string, given: string): boolean {
  if (!existsSync(path)) return false;
  const code = Buffer.from(readFileSync(path, "utf8").trim());
  const answer = Buffer.from(given);
  return code.length > 0 && code.length === answer.length && timingSafeEqual(code, answer);
}

export const forgetSetUpCode = (path: string): void => rmSync(path, { force: true });
