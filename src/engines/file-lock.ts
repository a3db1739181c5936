import { Database } from "bun:sqlite";
import { openSync } from "node:fs";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { closeLock, lockAgain, lockForDescriptor } from "./descriptor-lock.ts";
import { isDamage } from "./records/damage.ts";

export interface FileLock {
  /**
   * Returns an open file that holds the lock from now on, without a moment in which nobody does: for the program that
   * replaces this one in its process. Only on Linux; throws if the lock can't be passed on, and still has it then.
   */
  toDescriptor(): number;
  release(): void;
}

// The garbage collector closes a handle that nothing refers to, and its lock would be gone.
const held = new Set<Database>();

/** Takes the lock, or returns null if another process holds it. The kernel frees it even if this process is killed. */
export function takeFileLock(path: string): FileLock | null {
  const database = new Database(path, { create: true, readwrite: true });
  try {
    database.run("begin exclusive");
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw explain(path, error);
  }
  held.add(database);
  const close = (): void => {
    if (held.delete(database)) database.close();
  };
  let opened: number | undefined;
  let passed: FileLock | undefined;
  return {
    toDescriptor() {
      if (passed === undefined) {
        // Never closed if this fails: that would free the lock, which belongs to the process.
        opened ??= openSync(path, "r+");
        lockForDescriptor(opened);
        close();
        passed = adoptFileLock(opened);
      }
      return passed.toDescriptor();
    },
    release() {
      if (passed === undefined) close();
      else passed.release();
    },
  };
}

/** The lock that the program before this one has left in an open file. */
export function adoptFileLock(descriptor: number): FileLock {
  lockAgain(descriptor);
  return { toDescriptor: () => descriptor, release: () => closeLock(descriptor) };
}

export function isFileLocked(path: string): boolean {
  const database = new Database(path, { readonly: true });
  try {
    database.run("select 1 from sqlite_schema");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw explain(path, error);
  } finally {
    database.close();
  }
}

/** The file has no content worth keeping. While another process holds the lock, SQLite reports that it is busy instead. */
const explain = (path: string, error: unknown): unknown =>
  isDamage(error) ? new OperatorMistake(`${path} is damaged; delete it and try again`, { cause: error }) : error;

const isBusy = (error: unknown): boolean => (error as { code?: unknown }).code === "SQLITE_BUSY";
