import { closeSync, fsyncSync, openSync } from "node:fs";

/** Waits until a file, or the names in a directory, are on the disk. */
export function syncPath(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
