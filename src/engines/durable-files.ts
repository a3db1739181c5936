import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Puts a finished file in the place of another, also for a machine that loses power in the next moment. */
export function replaceDurably(draft: string, path: string): void {
  sync(draft);
  renameSync(draft, path);
  sync(dirname(path));
}

/** Leaves an empty file that is still there after a power loss. */
export function markDurably(path: string): void {
  writeFileSync(path, "", { mode: 0o600 });
  sync(path);
  sync(dirname(path));
}

function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
