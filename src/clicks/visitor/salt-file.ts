import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { syncPath } from "../sync-path.ts";

const DAY_MS = 86_400_000;
const SALT = /^[0-9a-f]{64}$/;
const SALTS = /[0-9a-f]{64}/g;

/** Salts by UTC day, a day being the number of days since 1970. */
export type Salts = ReadonlyMap<number, string>;

export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** What of the file can be understood; nothing where it is missing or damaged. */
export function readSaltFile(path: string): Salts {
  try {
    return parseSalts(readFileSync(path, "utf8"));
  } catch {
    return new Map();
  }
}

/** What of a file's content can be understood. */
export function parseSalts(text: string): Salts {
  let entries: [string, unknown][];
  try {
    entries = Object.entries(JSON.parse(text) as object);
  } catch {
    return new Map();
  }
  const salts = new Map<number, string>();
  for (const [date, salt] of entries) {
    const day = dayOf(Date.parse(`${date}T00:00:00Z`));
    if (Number.isInteger(day) && typeof salt === "string" && SALT.test(salt)) salts.set(day, salt);
  }
  return salts;
}

/** Replaces the file as a whole, so that a reader and a crash see the old one or the new one. */
export function writeSaltFile(path: string, salts: Salts): void {
  const draft = `${path}.new`;
  eraseSalts(draft, new Map());
  rmSync(draft, { force: true });
  const entries = [...salts].map(([day, salt]) => [new Date(day * DAY_MS).toISOString().slice(0, 10), salt]);
  const file = openSync(draft, "wx", 0o600);
  try {
    writeSync(file, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  syncPath(dirname(path));
}

/**
 * Overwrites in place, on the disk blocks they stand on, all salts but those to keep. The rest of the file stays
 * readable. File systems that never write in place, and some disks, keep the old bytes for a while all the same.
 */
export function eraseSalts(path: string, kept: Salts): void {
  if (!existsSync(path)) return;
  const keptTexts = new Set(kept.values());
  const text = readFileSync(path, "latin1");
  const file = openSync(path, "r+");
  try {
    for (const { 0: salt, index } of text.matchAll(SALTS)) {
      if (!keptTexts.has(salt)) writeSync(file, "-".repeat(salt.length), index);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
