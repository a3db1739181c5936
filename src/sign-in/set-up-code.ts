import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const CODE_BYTES = 20;

/**
 * The code for creating the very first account; kept across restarts, so that the printed one keeps working. Nodes that
 * share their records have the same code, made from the secret that they share, because any of them may be asked.
 */
export function keepSetUpCode(path: string, sharedSecret: string | null = null): string {
  if (sharedSecret !== null) write(path, createHmac("sha256", sharedSecret).update("set-up code").digest());
  else if (!existsSync(path)) write(path, randomBytes(CODE_BYTES));
  return readFileSync(path, "utf8").trim();
}

const write = (path: string, bytes: Buffer): void =>
  writeFileSync(path, `${bytes.subarray(0, CODE_BYTES).toString("base64url")}\n`, { mode: 0o600 });

export function isSetUpCode(path: string, given: string): boolean {
  if (!existsSync(path)) return false;
  const code = Buffer.from(readFileSync(path, "utf8").trim());
  const answer = Buffer.from(given);
  return code.length > 0 && code.length === answer.length && timingSafeEqual(code, answer);
}

export const forgetSetUpCode = (path: string): void => rmSync(path, { force: true });
