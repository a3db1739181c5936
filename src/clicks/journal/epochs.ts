import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "#kernel/error-codes.ts";
import { syncPath } from "../sync-path.ts";

export interface Epochs {
  /** Lower epochs belong to earlier runs. */
  readonly first: number;
  /** Returns an epoch that no process has used before. */
  next(): number;
}

// Processes must start even if the disk is full, so epochs are reserved in advance.
const RESERVED = 1024;

/** The epochs of one supervisor run. The supervisor must hold the data directory lock. */
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
          // The new range continues the old one, unless the counter file was changed by hand.
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
 * Reserves the next epochs and returns the first. The reservation is on disk before any of them is used: a crash at any
 * point skips some, but repeats none.
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

/** The last reserved epoch. */
function readCounter(path: string): number {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return 0;
    throw error;
  }
  if (!/^\d{1,15}\n$/.test(text)) {
    throw new Error(`${path} is damaged: it must contain a number greater than every epoch in journal segment names`);
  }
  return Number(text);
}
