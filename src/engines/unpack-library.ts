import { constants, type Stats } from "node:fs";
import { access, lstat, mkdir, mkdtemp, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, undefinedIfMissing } from "#kernel/error-codes.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";

/** What a build of the one-file program says about the library inside it. Each file is there as `<name>.zst`. */
export interface LibraryManifest {
  /** Depends on the content of all files. */
  readonly id: string;
  readonly files: readonly LibraryFile[];
}

interface LibraryFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export const MANIFEST_FILE = "manifest.json";
export const COMPRESSED_ENDING = ".zst";

const DRAFT_PREFIX = "draft-";
// Another process may be at it, though hardly for so long.
const DRAFT_MS_MAX = 10 * 60_000;
const TRIES_MAX = 3;
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Puts a library where the system can load it, unless it is there already: in a directory below `into` that is named by
 * its content, and that only this user can write. Returns that directory. What other releases left there is deleted.
 * Several processes can do this at once.
 */
export async function unpackLibrary(source: string, into: string): Promise<string> {
  const manifest: LibraryManifest = JSON.parse(await readFile(join(source, MANIFEST_FILE), "utf8"));
  const directory = join(into, manifest.id);
  try {
    for (let tries = 0; !(await isWhole(directory, manifest)); tries += 1) {
      if (tries === TRIES_MAX) throw new OperatorMistake(`${directory} is changed by another program; delete it`);
      await unpackOnce(source, directory, manifest);
      await deleteOthers(into, manifest.id);
    }
    for (const { name } of manifest.files) await access(join(directory, name), constants.X_OK);
  } catch (error) {
    throw explain(error, into);
  }
  return directory;
}

/** The size is enough to compare: a file is complete, checked and on the disk before it gets its name. */
async function isWhole(directory: string, { files }: LibraryManifest): Promise<boolean> {
  const found = await lstat(directory).catch(undefinedIfMissing);
  if (!found?.isDirectory() || !isOwn(found)) return false;
  for (const { name, bytes } of files) {
    const file = await lstat(join(directory, name)).catch(undefinedIfMissing);
    if (!file?.isFile() || !isOwn(file) || file.size !== bytes) return false;
  }
  return true;
}

const isOwn = ({ uid, mode }: Stats): boolean => uid === process.getuid?.() && (mode & WRITABLE_BY_OTHERS) === 0;

async function unpackOnce(source: string, directory: string, manifest: LibraryManifest): Promise<void> {
  const into = join(directory, "..");
  await mkdir(into, { recursive: true, mode: 0o700 });
  if (!isOwn(await lstat(into))) {
    throw new OperatorMistake(`${into} must belong to this user, and no other user may write to it`);
  }
  const draft = await mkdtemp(join(into, DRAFT_PREFIX));
  try {
    for (const file of manifest.files) await unpackFile(source, draft, file);
    await sync(draft);
    // Another process may have finished meanwhile, and use it already.
    if (!(await isWhole(directory, manifest))) await replace(draft, directory);
    await sync(into);
  } finally {
    await rm(draft, { recursive: true, force: true });
    // What decompression took, which an idle server would keep.
    Bun.gc(true);
  }
}

async function unpackFile(source: string, draft: string, { name, bytes, sha256 }: LibraryFile): Promise<void> {
  const hasher = new Bun.CryptoHasher("sha256");
  const file = await open(join(draft, name), "wx", 0o700);
  try {
    const packed = Bun.file(join(source, `${name}${COMPRESSED_ENDING}`)).stream();
    let written = 0;
    for await (const chunk of packed.pipeThrough(new DecompressionStream("zstd"))) {
      hasher.update(chunk);
      written += chunk.length;
      await file.appendFile(chunk);
    }
    if (written !== bytes || hasher.digest("hex") !== sha256) {
      throw new OperatorMistake(`${name} inside this program is damaged; download the program again`);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Fails if another process has put its own there in this moment, which is as good. */
async function replace(draft: string, directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await rename(draft, directory).catch((error: unknown) => {
    if (!["ENOTEMPTY", "EEXIST"].includes(codeOf(error) ?? "")) throw error;
  });
}

/** A process that still uses one of them has it open, and doesn't notice. */
async function deleteOthers(into: string, id: string): Promise<void> {
  for (const name of await readdir(into)) {
    if (name === id) continue;
    const found = await lstat(join(into, name)).catch(undefinedIfMissing);
    const isBeingWritten = name.startsWith(DRAFT_PREFIX) && found && Date.now() - found.mtimeMs < DRAFT_MS_MAX;
    if (!isBeingWritten) await rm(join(into, name), { recursive: true, force: true });
  }
}

async function sync(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  await handle.sync().finally(() => handle.close());
}

/** Full disks and the like speak for themselves. */
function explain(error: unknown, into: string): unknown {
  // For a file with the right permissions, the kernel's answer on a file system that runs no programs.
  if (codeOf(error) !== "EACCES" || (error as NodeJS.ErrnoException).syscall !== "access") return error;
  return new OperatorMistake(
    `the library of the clicks database can't be loaded from ${into}, since its file system is mounted with "noexec"; ` +
      "mount it without, or set KURZ_DATA_DIR to a directory on another one",
  );
}
