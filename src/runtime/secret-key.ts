import { randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { codeOf } from "#kernel/error-codes.ts";

const KEY_BYTES = 32;

/** The configured key, or one made on the first start and kept in the data directory for good. */
export function readSecretKey(configured: string | null, path: string): string {
  if (configured !== null) return configured;
  if (!existsSync(path)) createKeyFile(path);
  return readFileSync(path, "utf8").trim();
}

/** Written aside and linked into place: a crash leaves a whole key or none, and the first of two writers wins. */
function createKeyFile(path: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString("base64url")}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
}
