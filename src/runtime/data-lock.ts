import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DataPaths } from "#config/data-paths.ts";
import { adoptFileLock, type FileLock, isFileLocked, takeFileLock } from "#engines/file-lock.ts";
import { assertUsable, explainDataFailure } from "./data-directory.ts";

export type LockPurpose = "server" | "command";

export interface LockHolder {
  readonly pid: number;
  readonly purpose: LockPurpose;
  /** Of a server that another program can replace: see `kurz reload`. */
  readonly server?: ServerNote;
}

export interface ServerNote {
  readonly version: string;
  /** Different for each start. */
  readonly run: string;
  /** Whether it can be asked for a reload: all of its processes have been up, and nobody else has asked. */
  readonly isSettled: boolean;
  /** It soon will be settled, by itself. */
  readonly isStarting?: boolean;
  /** Why no other program can take over from it, if so. */
  readonly mustRestart?: string;
  /** The request that this program has taken over for. */
  readonly request?: string;
  /** The last request that was turned down. */
  readonly refused?: { readonly request: string; readonly reason: string };
}

export interface LockOptions {
  readonly purpose?: LockPurpose;
  /** How long to wait for a running command to end. A running server is not waited for. */
  readonly waitMs?: number;
  /** An open file with the lock, which the program before this one has left. */
  readonly left?: number | undefined;
  /** See `DataLock.describe`. */
  readonly server?: ServerNote;
}

export interface DataLock {
  /** The file that tells others who holds the lock. */
  readonly note: { readonly path: string; restore(): void };
  /** Tells others about the server that holds it. */
  describe(server: ServerNote): void;
  /** See `FileLock`. */
  toDescriptor(): number;
  release(): void;
}

/** Another process uses the data directory; the message is for the operator. */
export class DataInUse extends Error {}

const WAIT_MS = 5000;
// Enough for a process that only checks the lock, and for a note left by a killed server.
const WAIT_FOR_SERVER_MS = 100;
const RETRY_MS = 10;

/** Creates the directories and takes the lock, which the kernel frees even if this process is killed. */
export function lockDataDirectory(
  paths: DataPaths,
  { purpose = "command", waitMs = WAIT_MS, left, server: first }: LockOptions = {},
): DataLock {
  assertUsable(paths);
  let lock: FileLock;
  let isReleased = false;
  let server = first;
  const write = (): void => writeHolder(paths, { pid: process.pid, purpose, ...(server && { server }) });
  try {
    lock = lockFor(paths, write, () => (left === undefined ? takeLock(paths, waitMs) : adoptFileLock(left)));
  } catch (error) {
    throw explainDataFailure(error, paths.dataDir);
  }
  return {
    note: { path: holderFile(paths), restore: write },
    describe(note) {
      server = note;
      write();
    },
    toDescriptor: () => lock.toDescriptor(),
    release() {
      if (isReleased) return;
      isReleased = true;
      rmSync(holderFile(paths), { force: true });
      lock.release();
    },
  };
}

function lockFor(paths: DataPaths, describe: () => void, take: () => FileLock): FileLock {
  mkdirSync(paths.dataDir, { recursive: true, mode: 0o700 });
  makeRunDirectory(paths.run);
  const lock = take();
  try {
    if (existsSync(paths.restoring)) {
      throw new Error(`a restore into ${paths.dataDir} was interrupted; empty the directory and restore again`);
    }
    describe();
  } catch (error) {
    lock.release();
    throw error;
  }
  return lock;
}

export const isLocked = (paths: DataPaths): boolean => existsSync(paths.lock) && isFileLocked(paths.lock);

/** Who holds the lock, so that a command knows whether there is a server to talk to. */
export function findLockHolder(paths: DataPaths): LockHolder | undefined {
  return isLocked(paths) ? readHolder(paths) : undefined;
}

function takeLock(paths: DataPaths, waitMs: number): FileLock {
  const startedAt = performance.now();
  for (;;) {
    const lock = takeFileLock(paths.lock);
    if (lock) return lock;
    const holder = readHolder(paths);
    const waitMsMax = holder?.purpose === "server" ? Math.min(waitMs, WAIT_FOR_SERVER_MS) : waitMs;
    if (performance.now() - startedAt > waitMsMax) throw dataInUse(paths, holder);
    Bun.sleepSync(RETRY_MS);
  }
}

function dataInUse({ dataDir }: DataPaths, holder: LockHolder | undefined): DataInUse {
  const who = holder ? `process ${holder.pid} (a running ${holder.purpose})` : "another process";
  return new DataInUse(`the data directory ${dataDir} is in use by ${who}`);
}

/** It may be in a directory that all users share, where someone else could have created it first. */
export function makeRunDirectory(run: string): void {
  mkdirSync(run, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(run);
  if (process.getuid && uid !== process.getuid()) throw new Error(`the directory ${run} belongs to another user`);
  chmodSync(run, 0o700);
}

const holderFile = (paths: DataPaths): string => join(paths.run, "lock-holder.json");

/** In one step, so that no reader sees half of it, and without a new inode, by which others would take it for lost. */
function writeHolder(paths: DataPaths, holder: LockHolder): void {
  writeFileSync(holderFile(paths), JSON.stringify(holder), { mode: 0o600 });
}

function readHolder(paths: DataPaths): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(holderFile(paths), "utf8")) as LockHolder;
  } catch {
    return undefined;
  }
}
