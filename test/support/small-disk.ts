import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  readonly path: string;
  /** Uses up all free space. */
  fill(): void;
  /** Frees it again. */
  free(): void;
  remount(option: "ro" | "rw"): void;
  /** Fails if something on it is still open. */
  unmount(): void;
  /** Unmounts it whatever is open on it, so that a busy disk doesn't hide the test's own failure. */
  abandon(): void;
}

const BLOCK = Buffer.alloc(64 * 1024);

/** A file system in memory that can fill up without harm. Only root may mount one. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), "kurz-disk-"));
  const filler = join(path, "filler");
  try {
    mount("-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path);
  } catch (error) {
    rmdirSync(path);
    throw error;
  }
  const unmount = (...options: string[]): void => {
    const { exitCode, stderr } = Bun.spawnSync(["umount", ...options, path]);
    if (exitCode !== 0) throw new Error(`the disk at ${path} is not unmounted: ${stderr}`);
    rmdirSync(path);
  };
  return {
    path,
    fill() {
      const file = openSync(filler, "a");
      try {
        while (tryWrite(file, BLOCK)) {}
        while (tryWrite(file, BLOCK.subarray(0, 1))) {}
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    remount: (option) => mount("-o", `remount,${option}`, path),
    unmount() {
      try {
        unmount();
      } catch (error) {
        unmount("--lazy");
        throw error;
      }
    },
    abandon: () => unmount("--lazy"),
  };
}

/** Runs a test on such a disk, and checks that it left nothing open there. */
export async function withSmallDisk(megabytes: number, run: (disk: SmallDisk) => void | Promise<void>): Promise<void> {
  const disk = mountSmallDisk(megabytes);
  try {
    await run(disk);
  } catch (error) {
    disk.abandon();
    throw error;
  }
  disk.unmount();
}

function mount(...args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(["mount", ...args]);
  if (exitCode !== 0) throw new Error(`this test needs root, to mount a small disk: ${stderr}`);
}

function tryWrite(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") return false;
    throw error;
  }
}
