import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Replaces a file with a finished one, durably: it survives a power loss right after. */
export function replaceDurably(draft: string, path: string): void {
  sync(draft);
  renameSync(draft, path);
  sync(dirname(path));
}

/** Creates an empty file that survives a power loss. */
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
