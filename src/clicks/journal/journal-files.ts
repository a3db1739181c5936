import { close, fdatasync, fsync, ftruncate, open as openDescriptor, write } from "node:fs";
import { link, mkdir, readdir, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findSegmentName } from "./segment-name.ts";

/**
 * What the writer asks of the file system; tests hand in one that fails. Everything is done off the event loop: a disk
 * may take seconds to answer, and redirects must not wait for it.
 */
export interface JournalFiles {
  /** Makes a file that must not exist yet. */
  create(path: string): Promise<number>;
  /** Gives a file another name, which must not be taken yet; takes no descriptor. */
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Returns how many bytes were written, which may be fewer than asked for. */
  write(fd: number, bytes: Uint8Array, start: number, length: number, position: number): Promise<number>;
  truncate(fd: number, bytes: number): Promise<void>;
  close(fd: number): Promise<void>;
  /** Waits until the file's content is on the disk. */
  sync(fd: number): Promise<void>;
  /** Opens a directory, and makes it where it is missing. */
  openDirectory(path: string): Promise<number>;
  /** Waits until the names in an open directory are on the disk. */
  syncDirectory(fd: number): Promise<void>;
  /** The names in a directory; none where it is missing. */
  list(directory: string): Promise<readonly string[]>;
  /** How many bytes the segments in a directory take. */
  measure(directory: string): Promise<number>;
}

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

export const realFiles: JournalFiles = {
  create: (path) => inDirectory(dirname(path), () => openFile(path, "wx")),
  async rename(from, to) {
    // Unlike a rename, a link never replaces what is there.
    await link(from, to);
    // The old name does no harm, and the next process of this writer takes it away.
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
  list: async (directory) => (await readdir(directory).catch(undefinedIfMissing)) ?? [],
  async measure(directory) {
    const names = await realFiles.list(directory);
    let bytes = 0;
    // One after the other: a disk that does not answer then holds one thread of the pool, and others stay free.
    for (const name of names.filter(findSegmentName)) {
      bytes += (await stat(join(directory, name)).catch(undefinedIfMissing))?.size ?? 0;
    }
    return bytes;
  },
};

type Done = (error: Error | null) => void;

const settled = (call: (done: Done) => void): Promise<void> =>
  new Promise((resolve, reject) => call((error) => (error ? reject(error) : resolve())));

/** The handle of `node:fs/promises` would close its descriptor when it is collected, so only the number is kept. */
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

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Segments go away while the directory is read: they were ingested. */
export function undefinedIfMissing(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
  return undefined;
}

/** Some file systems know no such thing; their names are as safe as they get. */
const isNotForDirectories = (error: unknown): boolean => ["EINVAL", "ENOTSUP"].includes(codeOf(error) ?? "");
