import { chmodSync, constants, lstatSync, readdirSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { syncPath } from "#clicks/sync-path.ts";

/** A private copy; on file systems that can share blocks it takes neither time nor space. */
export async function copyPrivately(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  chmodSync(to, 0o600);
}

/** Every file below a directory, as paths relative to it, in a fixed order. */
export function listFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => lstatSync(join(directory, name)).isFile())
    .sort();
}

/** Waits until the files below a directory, and their names, are on the disk. */
export function syncTree(directory: string): void {
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) syncPath(join(directory, name));
  syncPath(directory);
}

export async function sha256Of(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk);
  return hasher.digest("hex");
}
