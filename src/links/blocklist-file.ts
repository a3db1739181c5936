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

/** Throws with one line that says what is wrong, for the start to stop on. */
export function readBlocklistFile(path: string): Blocklist {
  try {
    return parseBlocklist(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`KURZ_BLOCKLIST_FILE ${path}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Follows the operator's block file. A bad one is reported and changes nothing: links go on, and so does the service. */
export function followBlocklistFile({ path, onChange, onProblem }: Options): BlocklistFile {
  let blocklist = parseBlocklist("");
  let stamp = "";
  let applying = Promise.resolve();
  const look = () => {
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
        // Looked at again with the next turn, as if it had just changed.
        stamp = "";
      });
  };
  look();
  // Polled, not watched: editors and configuration tools replace the file, and a watch follows the old one.
  const timer = setInterval(look, POLL_MS);
  timer.unref();
  return { reasonOf: (url) => blocklist.find(url), close: () => clearInterval(timer) };
}

/** Changes whenever the file does; one that cannot be seen has a stamp of its own. */
function stampOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs}:${size}:${ino}`;
  } catch (error) {
    return String(error);
  }
}
