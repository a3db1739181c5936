import { readFileSync, statSync } from "node:fs";
import type { BlockReason } from "#contract/errors.ts";
import { type Blocklist, parseBlocklist } from "./blocklist.ts";

const POLL_MS = 1000;

export interface BlocklistFile {
  /** Why a destination is blocked now, or `null`. */
  reasonOf(destinationUrl: string): BlockReason | null;
  close(): void;
}

interface Options {
  readonly path: string;
  readonly onChange: (blocklist: Blocklist) => Promise<void>;
  /** The file could not be read or has a bad line; the list before it stays in force. */
  readonly onProblem: (message: string) => void;
}

/** Follows the operator's block file. Throws when it cannot be read at the start. */
export function followBlocklistFile({ path, onChange, onProblem }: Options): BlocklistFile {
  let { blocklist, stamp } = read(path);
  let applying = Promise.resolve();
  const apply = () => {
    const current = blocklist;
    applying = applying.then(() => onChange(current)).catch((error) => onProblem(String(error)));
  };
  apply();
  // Polled, not watched: editors and configuration tools replace the file, and a watch follows the old one.
  const timer = setInterval(() => {
    try {
      if (stampOf(path) === stamp) return;
      ({ blocklist, stamp } = read(path));
      apply();
    } catch (error) {
      stamp = stampOrEmpty(path);
      onProblem(`KURZ_BLOCKLIST_FILE ${path}: ${error instanceof Error ? error.message : error}`);
    }
  }, POLL_MS);
  timer.unref();
  return { reasonOf: (url) => blocklist.find(url), close: () => clearInterval(timer) };
}

function read(path: string): { blocklist: Blocklist; stamp: string } {
  const stamp = stampOf(path);
  return { blocklist: parseBlocklist(readFileSync(path, "utf8")), stamp };
}

function stampOf(path: string): string {
  const { mtimeMs, size, ino } = statSync(path);
  return `${mtimeMs}:${size}:${ino}`;
}

function stampOrEmpty(path: string): string {
  try {
    return stampOf(path);
  } catch {
    return "";
  }
}
