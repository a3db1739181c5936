import { dlopen, ptr } from "bun:ffi";
import { closeSync } from "node:fs";

/*
 * SQLite's locks belong to the process: they are gone as soon as it closes any handle of the file, and before Linux 5.11
 * also when a process with threads executes another program. A lock of an open file (fcntl_locking(2), "open file
 * description locks") is neither. SQLite respects it like one of its own.
 */

const F_SETLK = 6;
const F_OFD_SETLK = 37;
const F_WRLCK = 1;
const F_UNLCK = 2;
const LOCK_BYTES = 32;
// SQLite's PENDING_BYTE: nobody starts to read or write without a look at it.
const PENDING_AT = 0x40000000n;
// Others only look, and are gone in no time.
const TRIES_MAX = 1000;
const RETRY_MS = 1;

const openLibrary = () =>
  dlopen("libc.so.6", { fcntl: { args: ["i32", "i32", "ptr"], returns: "i32" } } as const).symbols;

/** For a file that SQLite has locked in this process: when it returns, the open file has that lock, too. */
export function lockForDescriptor(descriptor: number): void {
  const { fcntl } = openLibrary();
  // The two exclude each other. Meanwhile the other bytes that SQLite has locked keep everybody away.
  fcntl(descriptor, F_SETLK, ptr(pendingByte(F_UNLCK)));
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    if (fcntl(descriptor, F_OFD_SETLK, ptr(pendingByte(F_WRLCK))) === 0) return;
    Bun.sleepSync(RETRY_MS);
  }
  throw new Error("the file system can't pass the lock on the data directory to another program");
}

/** Throws unless the open file has the lock. */
export function lockAgain(descriptor: number): void {
  const { fcntl } = openLibrary();
  if (fcntl(descriptor, F_OFD_SETLK, ptr(pendingByte(F_WRLCK))) !== 0)
    throw new Error("the program before has not left the lock on the data directory to this one");
}

export const closeLock = (descriptor: number): void => closeSync(descriptor);

/** As `struct flock`, which is the same on all 64-bit systems. */
function pendingByte(type: number): Uint8Array {
  const lock = new DataView(new ArrayBuffer(LOCK_BYTES));
  lock.setInt16(0, type, true);
  lock.setBigInt64(8, PENDING_AT, true);
  lock.setBigInt64(16, 1n, true);
  return new Uint8Array(lock.buffer);
}
