import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  readonly path: string;
  /** Takes all the space there is left. */
  fill(): void;
  /** Gives it back. */
  free(): void;
  remount(option: "ro" | "rw"): void;
  unmount(): void;
}

const BLOCK = Buffer.alloc(64 * 1024);

/** A file system of its own in memory, so that it can be full without harm. Only root may mount one. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), "kurz-disk-"));
  const filler = join(path, "filler");
  mount("-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path);
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
      const { exitCode, stderr } = Bun.spawnSync(["umount", path]);
      if (exitCode !== 0) throw new Error(`the disk at ${path} is not unmounted: ${stderr}`);
      rmSync(path, { recursive: true });
    },
  };
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
