import { dlopen, type Pointer, toBuffer } from "bun:ffi";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { isOneFile } from "./shipped-files.ts";

const PROT_READ = 1;
const MAP_PRIVATE = 2;

/**
 * The content of a file that nobody changes, for as long as the process lives. It takes memory only where it is read, and
 * once for all processes. `Bun.mmap` can't: it needs the permission to write. Read as a whole on other systems than Linux, and in the one-file program, where
 * it is no file of the system.
 */
export function mapFile(path: string): Buffer {
  return (process.platform === "linux" && !isOneFile && map(path)) || readFileSync(path);
}

function map(path: string): Buffer | null {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    const { symbols } = dlopen("libc.so.6", {
      mmap: { args: ["ptr", "u64", "i32", "i32", "i32", "i64"], returns: "ptr" },
    });
    const address = symbols.mmap(null, size, PROT_READ, MAP_PRIVATE, fd, 0);
    return isMapped(address) ? toBuffer(address, 0, size) : null;
  } catch {
    // Another C library.
    return null;
  } finally {
    closeSync(fd);
  }
}

/** What stands for a failure is -1 without a sign, far beyond every address. */
const isMapped = (address: Pointer | bigint | null): address is Pointer =>
  typeof address === "number" && address > 0 && address < Number.MAX_SAFE_INTEGER;
