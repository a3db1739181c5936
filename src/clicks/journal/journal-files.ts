import { close, fdatasync, fsync, ftruncate, open as openDescriptor, write } from "node:fs";
import { link, mkdir, readdir, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf, undefinedIfMissing } from "#kernel/error-codes.ts";
import { findSegmentName } from "./segment-name.ts";

/**
 * The file system as the writer uses it; tests pass one that fails. Nothing blocks the event loop: a disk may take
 * seconds to respond, and redirects must not wait for it.
 */
export interface JournalFiles {
  /** Creates a file that must not exist yet. */
  create(path: string): Promise<number>;
  /** Renames a file; the new name must not exist yet. Needs no file descriptor. */
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Returns how many bytes were written, which may be fewer than asked for. */
  write(fd: number, bytes: Uint8Array, start: number, length: number, position: number): Promise<number>;
  truncate(fd: number, bytes: number): Promise<void>;
  close(fd: number): Promise<void>;
  /** Waits until the file's content is on the disk. */
  sync(fd: number): Promise<void>;
  /** Opens a directory, and creates it if it is missing. */
  openDirectory(path: string): Promise<number>;
  /** Waits until the names in an open directory are on the disk. */
  syncDirectory(fd: number): Promise<void>;
  /** The names in a directory; none if it is missing. */
  list(directory: string): Promise<readonly string[]>;
  /** The total size of the segments in a directory. */
  measure(directory: string): Promise<number>;
}

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

export const realFiles: JournalFiles = {
  create: (path) => inDirectory(dirname(path), () => openFile(path, "wx")),
  async rename(from, to) {
    // Unlike a rename, a link never replaces what is there.
    await link(from, to);
    // The old name is harmless, and this writer's next process removes it.
    await unlink(from).catch(() => {});
  },
  remove: unlink,
  write: (fd, bytes, start, length, position) =>
    new Promise((resolve, reject) =>
      write(fd, bytes, start, length, position, (error, written) => (error ? reject(error) : resolve(written))),
    ),
  truncate: (fd, bytes) => settled((done) => ftruncate(fd, bytes, done)),
  close: (fd) => settled((done) => close(fd, done)),
  sync: (fd) => settled((done) => fdatasync(fd, done)),
  openDirectory: (path) => inDirectory(path, () => openFile(path, "r")),
  syncDirectory: (fd) =>
    settled((done) => fsync(fd, (error) => done(error && isNotForDirectories(error) ? null : error))),
  // Segments disappear while the directory is read, because they were ingested.
  list: async (directory) => (await readdir(directory).catch(undefinedIfMissing)) ?? [],
  async measure(directory) {
    const names = await realFiles.list(directory);
    let bytes = 0;
    // One after the other: a disk that doesn't respond then blocks only one thread of the pool.
    for (const name of names.filter(findSegmentName)) {
      bytes += (await stat(join(directory, name)).catch(undefinedIfMissing))?.size ?? 0;
    }
    return bytes;
  },
};

type Done = (error: Error | null) => void;

const settled = (call: (done: Done) => void): Promise<void> =>
  new Promise((resolve, reject) => call((error) => (error ? reject(error) : resolve())));

/** A `node:fs/promises` handle would close its descriptor when it is garbage-collected, so only the number is kept. */
const openFile = (path: string, flags: "r" | "wx"): Promise<number> =>
  new Promise((resolve, reject) =>
    openDescriptor(path, flags, FILE_MODE, (error, fd) => (error ? reject(error) : resolve(fd))),
  );

async function inDirectory<T>(directory: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    await mkdir(directory, { recursive: true, mode: DIRECTORY_MODE });
    return action();
  }
}

/** Some file systems can't sync directories; there is nothing more to do about their names. */
const isNotForDirectories = (error: unknown): boolean => ["EINVAL", "ENOTSUP"].includes(codeOf(error) ?? "");
