import { Database } from "bun:sqlite";
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DataPaths } from "#config/data-paths.ts";
import { assertUsable, explainDataFailure } from "./data-directory.ts";

export type LockPurpose = "server" | "command";

export interface LockHolder {
  readonly pid: number;
  readonly purpose: LockPurpose;
}

export interface LockOptions {
  readonly purpose?: LockPurpose;
  /** How long to wait for a command to end. A server does not end soon and is not waited for. */
  readonly waitMs?: number;
}

export interface DataLock {
  /** Tells others who holds the lock. */
  readonly note: { readonly path: string; restore(): void };
  release(): void;
}

/** Another process works on the data directory; the message is meant for the operator. */
export class DataInUse extends Error {}

const WAIT_MS = 5000;
// Enough for a process that only looks whether the lock is free, and for a note left by a killed server.
const WAIT_FOR_SERVER_MS = 100;
const RETRY_MS = 10;

// A handle that nothing refers to is closed by the garbage collector, and its lock is gone.
const held = new Set<Database>();

/** Makes the directories and takes the lock, which the kernel frees even when this process is killed. */
export function lockDataDirectory(
  paths: DataPaths,
  { purpose = "command", waitMs = WAIT_MS }: LockOptions = {},
): DataLock {
  assertUsable(paths);
  let database: Database;
  try {
    database = lockFor(paths, purpose, waitMs);
  } catch (error) {
    throw explainDataFailure(error, paths.dataDir);
  }
  return {
    note: { path: holderFile(paths), restore: () => writeHolder(paths, purpose) },
    release() {
      if (!held.delete(database)) return;
      rmSync(holderFile(paths), { force: true });
      database.close();
    },
  };
}

function lockFor(paths: DataPaths, purpose: LockPurpose, waitMs: number): Database {
  mkdirSync(paths.dataDir, { recursive: true, mode: 0o700 });
  makeRunDirectory(paths.run);
  const database = takeLock(paths, waitMs);
  try {
    if (existsSync(paths.restoring)) {
      throw new Error(`a restore into ${paths.dataDir} was broken off; empty the directory and restore again`);
    }
    writeHolder(paths, purpose);
  } catch (error) {
    database.close();
    throw error;
  }
  held.add(database);
  return database;
}

export function isLocked(paths: DataPaths): boolean {
  if (!existsSync(paths.lock)) return false;
  const database = new Database(paths.lock, { readonly: true });
  try {
    database.run("select 1 from sqlite_schema");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    database.close();
  }
}

/** Who holds the lock, so that a command knows whether there is a server to talk to. */
export function findLockHolder(paths: DataPaths): LockHolder | undefined {
  return isLocked(paths) ? readHolder(paths) : undefined;
}

function takeLock(paths: DataPaths, waitMs: number): Database {
  const database = new Database(paths.lock, { create: true, readwrite: true });
  const startedAt = performance.now();
  for (;;) {
    try {
      database.run("begin exclusive");
      return database;
    } catch (error) {
      const holder = readHolder(paths);
      const patienceMs = holder?.purpose === "server" ? Math.min(waitMs, WAIT_FOR_SERVER_MS) : waitMs;
      if (!isBusy(error) || performance.now() - startedAt > patienceMs) {
        database.close();
        throw isBusy(error) ? dataInUse(paths, holder) : error;
      }
      Bun.sleepSync(RETRY_MS);
    }
  }
}

function dataInUse({ dataDir }: DataPaths, holder: LockHolder | undefined): DataInUse {
  const who = holder ? `process ${holder.pid} (a running ${holder.purpose})` : "another process";
  return new DataInUse(`the data directory ${dataDir} is in use by ${who}`);
}

/** It may lie in a directory that all users share, where somebody else could have made it first. */
export function makeRunDirectory(run: string): void {
  mkdirSync(run, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(run);
  if (process.getuid && uid !== process.getuid()) throw new Error(`the directory ${run} belongs to another user`);
  chmodSync(run, 0o700);
}

const holderFile = (paths: DataPaths): string => join(paths.run, "lock-holder.json");

function writeHolder(paths: DataPaths, purpose: LockPurpose): void {
  const holder = { pid: process.pid, purpose } satisfies LockHolder;
  writeFileSync(holderFile(paths), JSON.stringify(holder), { mode: 0o600 });
}

function readHolder(paths: DataPaths): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(holderFile(paths), "utf8")) as LockHolder;
  } catch {
    return undefined;
  }
}

const isBusy = (error: unknown): boolean => (error as { code?: unknown }).code === "SQLITE_BUSY";
