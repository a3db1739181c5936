import { dlopen, ptr } from "bun:ffi";

// As many as the C library's own sets of cores hold.
const CORES_MAX = 1024;

/**
 * Keeps the calling thread on one core, counted from the last of those it may use. Linux would move a long computation to
 * whichever core is idle for a moment, where it is in the way of the next short one. Does nothing on other systems.
 */
export function stayOnCore(fromLast: number): boolean {
  if (process.platform !== "linux") return false;
  const cores = new Uint8Array(CORES_MAX / 8);
  try {
    const { symbols } = dlopen("libc.so.6", {
      sched_getaffinity: { args: ["i32", "u64", "ptr"], returns: "i32" },
      sched_setaffinity: { args: ["i32", "u64", "ptr"], returns: "i32" },
    });
    if (symbols.sched_getaffinity(0, cores.length, ptr(cores)) !== 0) return false;
    const core = coresIn(cores).at(-1 - fromLast);
    if (core === undefined) return false;
    cores.fill(0);
    cores[core >> 3] = 1 << (core & 7);
    return symbols.sched_setaffinity(0, cores.length, ptr(cores)) === 0;
  } catch {
    return false;
  }
}

const coresIn = (set: Uint8Array): readonly number[] =>
  Array.from({ length: CORES_MAX }, (_, core) => core).filter((core) => (set[core >> 3] ?? 0) & (1 << (core & 7)));
