import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { syncPath } from "../sync-path.ts";
import { codeOf } from "./journal-files.ts";

export interface Epochs {
  /** Lower epochs belong to processes of earlier runs. */
  readonly first: number;
  /** An epoch that no process has had before. */
  next(): number;
}

// Processes must start on a full disk, too, so the counter runs ahead of them.
const RESERVED = 1024;

/** The epochs of one run of the supervisor, which holds the lock on the data directory. */
export function openEpochs(path: string, reserved = RESERVED): Epochs {
  const first = nextEpoch(path, reserved);
  let epoch = first;
  let end = first + reserved;
  return {
    first,
    next() {
      if (epoch >= end - reserved / 2) {
        try {
          const from = nextEpoch(path, reserved);
          // What is reserved now follows what was reserved before, unless somebody moved the counter on.
          if (from !== end) epoch = from;
          end = from + reserved;
        } catch (error) {
          if (epoch >= end) throw error;
        }
      }
      epoch += 1;
      return epoch - 1;
    },
  };
}

/**
 * Takes the next epochs and returns the first of them. They are on the disk as taken before anybody uses one: a crash
 * at any point skips some, but repeats none.
 */
export function nextEpoch(path: string, count = 1): number {
  const epoch = readCounter(path) + 1;
  const draft = `${path}.draft`;
  writeFileSync(draft, `${epoch + count - 1}\n`, { mode: 0o600 });
  syncPath(draft);
  renameSync(draft, path);
  syncPath(dirname(path));
  return epoch;
}

/** The last epoch that was taken. */
function readCounter(path: string): number {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return 0;
    throw error;
  }
  if (!/^\d{1,15}\n$/.test(text)) {
    throw new Error(`${path} is damaged: it should hold a number above every epoch in the names of journal segments`);
  }
  return Number(text);
}
