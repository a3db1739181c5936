import { readFileSync, statSync } from "node:fs";
import type { BlockReason } from "#contract/errors.ts";
import { type Blocklist, parseBlocklist } from "./blocklist.ts";

const POLL_MS = 1000;

export interface BlocklistFile {
  /** Why a destination is currently blocked, or `null`. */
  reasonOf(destinationUrl: string): BlockReason | null;
  close(): void;
}

interface Options {
  readonly path: string;
  readonly onChange: (blocklist: Blocklist) => Promise<void>;
  /** The file can't be read or has an invalid line; the previous list stays in effect. */
  readonly onProblem: (message: string) => void;
}

/** Throws an error with a one-line message, to fail the start. */
export function readBlocklistFile(path: string): Blocklist {
  try {
    return parseBlocklist(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`KURZ_BLOCKLIST_FILE ${path}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Watches the operator's block list. An invalid one is reported and otherwise ignored, so the service keeps running. */
export function followBlocklistFile({ path, onChange, onProblem }: Options): BlocklistFile {
  let blocklist = parseBlocklist("");
  let stamp = "";
  let applying = Promise.resolve();
  const check = () => {
    const found = stampOf(path);
    if (found === stamp) return;
    stamp = found;
    try {
      blocklist = readBlocklistFile(path);
    } catch (error) {
      onProblem(String(error));
      return;
    }
    const current = blocklist;
    applying = applying
      .then(() => onChange(current))
      .catch((error) => {
        onProblem(String(error));
        // Retried on the next check, as if it had just changed.
        stamp = "";
      });
  };
  check();
  // Polled, not watched: editors and configuration tools replace the file, and a watch would stay on the old one.
  const timer = setInterval(check, POLL_MS);
  timer.unref();
  return { reasonOf: (url) => blocklist.find(url), close: () => clearInterval(timer) };
}

/** Changes whenever the file does; a missing file has its own stamp. */
function stampOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs}:${size}:${ino}`;
  } catch (error) {
    return String(error);
  }
}
