import { closeSync, fdatasync, fsync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findSegmentName } from "./segment-name.ts";

/** What the writer asks of the file system; tests hand in one that fails. */
export interface JournalFiles {
  /** Makes a file that must not exist yet. */
  create(path: string): number;
  /** Returns how many bytes were written, which may be fewer than asked for. */
  write(fd: number, bytes: Uint8Array, start: number, length: number, position: number): number;
  truncate(fd: number, bytes: number): void;
  close(fd: number): void;
  /** Waits off the event loop until the file's content is on the disk. */
  sync(fd: number): Promise<void>;
  /** The same for the names in a directory. */
  syncDirectory(path: string): Promise<void>;
  /** How many bytes the segments in a directory take. */
  measure(directory: string): Promise<number>;
}

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

export const realFiles: JournalFiles = {
  create(path) {
    try {
      return openSync(path, "wx", FILE_MODE);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      mkdirSync(dirname(path), { recursive: true, mode: DIRECTORY_MODE });
      return openSync(path, "wx", FILE_MODE);
    }
  },
  write: writeSync,
  truncate: ftruncateSync,
  close: closeSync,
  sync: (fd) => new Promise((resolve, reject) => fdatasync(fd, (error) => (error ? reject(error) : resolve()))),
  async syncDirectory(path) {
    const directory = await open(path, "r");
    try {
      await new Promise<void>((resolve, reject) =>
        fsync(directory.fd, (error) => (error && !isNotForDirectories(error) ? reject(error) : resolve())),
      );
    } finally {
      await directory.close();
    }
  },
  async measure(directory) {
    const names = await readdir(directory).catch(absent);
    const paths = (names ?? []).filter(findSegmentName).map((name) => join(directory, name));
    const sizes = await Promise.all(paths.map(async (path) => (await stat(path).catch(absent))?.size ?? 0));
    return sizes.reduce((sum, size) => sum + size, 0);
  },
};

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Segments go away while the directory is read: they were ingested. */
export function absent(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
  return undefined;
}

/** Some file systems know no such thing; their names are as safe as they get. */
const isNotForDirectories = (error: unknown): boolean => ["EINVAL", "ENOTSUP"].includes(codeOf(error) ?? "");
