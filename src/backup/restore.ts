import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { nextEpoch } from "#clicks/journal/epochs.ts";
import { syncPath } from "#clicks/sync-path.ts";
import type { DataPaths } from "#config/data-paths.ts";
import { openClicks } from "#engines/open-engines.ts";
import { NEWEST_SCHEMA } from "#engines/records/newest-schema.ts";
import { recordsFile } from "#engines/records/records-file.ts";
import { findLockHolder, lockDataDirectory } from "#runtime/data-lock.ts";
import { copyPrivately, sha256Of, syncTree } from "./durable-files.ts";
import { type Manifest, readManifest } from "./manifest.ts";

export interface RestoreOptions {
  readonly paths: DataPaths;
  readonly directory: string;
  /** Reports progress to the operator. */
  readonly say: (text: string) => Promise<void>;
}

interface Counts {
  readonly links: number;
  /** Those in the clicks engine; the server adds those in the journal when it starts. */
  readonly clicks: number;
}

export interface Restored extends Counts {
  readonly manifest: Manifest;
}

/** More than the server can have used since the backup: no click may get the id of one that was already seen. */
const EPOCHS_SKIPPED = 1_000_000;
const NEEDED = ["data/records.db", "data/clicks.duckdb"];
/** Found in a data directory without data: the lock, the sockets, and what a new file system starts with. */
const NO_DATA = ["lock.db", "lock.db-journal", "run", "lost+found"];

/** The data directory may be a home directory, where tools keep their caches (`.npm`, `.bun`). */
const isNoData = (name: string): boolean => name.startsWith(".") || NO_DATA.includes(name);

/** Restores a backup into a data directory without data: all of it, or nothing. */
export async function restoreBackup({ paths, directory, say }: RestoreOptions): Promise<Restored> {
  const manifest = readManifest(directory);
  if (manifest.schema > NEWEST_SCHEMA) {
    throw new Error(
      `the backup was created by a newer version of Kurz (${manifest.kurz}, schema ${manifest.schema}); this one supports up to ${NEWEST_SCHEMA}`,
    );
  }
  refuseInUse(paths);
  refuseNonEmpty(paths);
  await say("checking the backup");
  await verifyFiles(directory, manifest);
  const lock = lockDataDirectory(paths, { purpose: "command", waitMs: 0 });
  try {
    refuseNonEmpty(paths);
    const counts = await copyAside({ paths, directory, say }, manifest);
    moveIntoPlace(paths);
    return { manifest, ...counts };
  } finally {
    lock.release();
  }
}

async function copyAside(
  { paths: { restoring }, directory, say }: RestoreOptions,
  manifest: Manifest,
): Promise<Counts> {
  try {
    await say("copying the data");
    mkdirSync(join(restoring, "journal"), { recursive: true, mode: 0o700 });
    for (const { path } of manifest.files) {
      const [, name] = /^data\/(.+)$/.exec(path) ?? [];
      if (name !== undefined) await copyPrivately(join(directory, path), join(restoring, name));
    }
    nextEpoch(join(restoring, "epochs"), EPOCHS_SKIPPED);
    const counts = await openEngines(restoring);
    syncTree(restoring);
    return counts;
  } catch (error) {
    rmSync(restoring, { recursive: true, force: true });
    throw error;
  }
}

/** Nobody else gets the lock while the source directory exists, so a partial restore is never used. */
function moveIntoPlace({ dataDir, restoring }: DataPaths): void {
  syncPath(dataDir);
  for (const name of readdirSync(restoring)) renameSync(join(restoring, name), join(dataDir, name));
  syncPath(dataDir);
  rmdirSync(restoring);
  syncPath(dataDir);
}

/** Checks that this release can read them before anything is moved into place. */
async function openEngines(directory: string): Promise<Counts> {
  const links = recordsFile({ path: join(directory, "records.db") }).countLinks();
  const clicks = await openClicks({ path: join(directory, "clicks.duckdb"), batchDirectory: directory });
  try {
    const { rows, compactedClicks, importedClicks } = await clicks.stats();
    return { links, clicks: rows + compactedClicks + importedClicks };
  } finally {
    await clicks.close();
  }
}

function refuseInUse(paths: DataPaths): void {
  const holder = findLockHolder(paths);
  if (holder)
    throw new Error(`${paths.dataDir} is in use by a running ${holder.purpose} (process ${holder.pid}); stop it first`);
}

function refuseNonEmpty({ dataDir }: DataPaths): void {
  const found = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => !isNoData(name)) : [];
  if (found.length === 0) return;
  throw new Error(
    `${dataDir} is not empty (${found.slice(0, 3).join(", ")}); move its contents elsewhere, or set KURZ_DATA_DIR to another directory`,
  );
}

async function verifyFiles(directory: string, { files }: Manifest): Promise<void> {
  const missing = NEEDED.find((needed) => !files.some(({ path }) => path === needed));
  if (missing !== undefined) throw new Error(`the backup is incomplete: ${missing} is not in its manifest`);
  for (const { path, bytes, sha256 } of files) {
    const status = lstatSync(join(directory, path), { throwIfNoEntry: false });
    if (!status?.isFile()) throw new Error(`the backup is incomplete: ${path} is missing`);
    if (status.size !== bytes || (await sha256Of(join(directory, path))) !== sha256) {
      throw new Error(`the backup is damaged: ${path} has changed since the backup`);
    }
  }
}
