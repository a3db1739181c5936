import { dlopen, ptr } from "bun:ffi";

// As many as the C library's own sets of cores hold.
const CORES_MAX = 1024;

/** The cores that a thread may use, in order; `null` if that can't be told, as for one that has ended. 0 is the caller. */
export function coresOf(thread: number): readonly number[] | null {
  const set = new Uint8Array(CORES_MAX / 8);
  if (calls()?.sched_getaffinity(thread, set.length, ptr(set)) !== 0) return null;
  return Array.from({ length: CORES_MAX }, (_, core) => core).filter(
    (core) => (set[core >> 3] ?? 0) & (1 << (core & 7)),
  );
}

/** Returns whether it was granted. */
export function allowCores(thread: number, cores: readonly number[]): boolean {
  const set = new Uint8Array(CORES_MAX / 8);
  for (const core of cores) set[core >> 3] = (set[core >> 3] ?? 0) | (1 << (core & 7));
  return calls()?.sched_setaffinity(thread, set.length, ptr(set)) === 0;
}

let loaded: ReturnType<typeof load> | undefined;

/** `null` on systems other than Linux. */
function calls() {
  loaded ??= load();
  return loaded.symbols;
}

function load() {
  if (process.platform !== "linux") return { symbols: null };
  try {
    return dlopen("libc.so.6", {
      sched_getaffinity: { args: ["i32", "u64", "ptr"], returns: "i32" },
      sched_setaffinity: { args: ["i32", "u64", "ptr"], returns: "i32" },
    });
  } catch {
    return { symbols: null };
  }
}
