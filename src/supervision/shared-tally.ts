import { closeSync, ftruncateSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LossTally, TALLY_CELLS } from "#clicks/journal/loss-tally.ts";

/** A tally in memory that a process shares with its supervisor, so that it is there when the process was killed. */
export interface SharedTally {
  readonly tally: LossTally;
  /** The process finds it under the number {@link TALLY_FD}. */
  readonly fd: number;
  close(): void;
}

/** After standard input, output and error. */
export const TALLY_FD = 3;

// A file system in memory, which never waits for a disk.
const MEMORY = "/dev/shm";
const PAGE_BYTES = 4096;

/** Returns nothing on systems without it; the process then reports its losses with its other figures only. */
export function openSharedTally(): SharedTally | undefined {
  const path = join(MEMORY, `kurz-${Bun.randomUUIDv7()}`);
  let fd: number | undefined;
  try {
    fd = openSync(path, "wx+", 0o600);
    ftruncateSync(fd, PAGE_BYTES);
    // It lives on without a name, and is gone with the last process that has it open.
    const tally = mapTally(fd);
    rmSync(path);
    const descriptor = fd;
    return { fd: descriptor, tally, close: () => closeSync(descriptor) };
  } catch {
    if (fd !== undefined) {
      closeSync(fd);
      rmSync(path, { force: true });
    }
    return undefined;
  }
}

/** Also in the process that was handed the descriptor. */
export function mapTally(fd: number): LossTally {
  const { buffer, byteOffset } = Bun.mmap(`/proc/self/fd/${fd}`, { shared: true });
  return new LossTally(new Float64Array(buffer, byteOffset, TALLY_CELLS));
}
