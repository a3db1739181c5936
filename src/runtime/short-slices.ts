import { dlopen, ptr } from "bun:ffi";
import { getPriority } from "node:os";
import { ownThreads } from "#kernel/own-threads.ts";

// The system call number of sched_setattr(2), for which older C libraries have no function.
const CALL_NUMBERS: Readonly<Record<string, number>> = { x64: 314, arm64: 274 };
const ATTRIBUTES_BYTES = 48;
const NICE_AT = 16;
const SLICE_AT = 24;
const SLICE_NS = 100_000n;

/**
 * Asks Linux (6.12 or newer) for short time slices, for all threads: one of them writes the journal, and later threads
 * inherit the slice of the thread that starts them. Shorter slices are scheduled sooner, so a redirect doesn't have to wait
 * for the slice of a long computation, such as a report, to end. Does nothing on other systems.
 */
export function askForShortSlices(): boolean {
  const call = CALL_NUMBERS[process.arch];
  if (process.platform !== "linux" || call === undefined) return false;
  const attributes = new DataView(new ArrayBuffer(ATTRIBUTES_BYTES));
  attributes.setUint32(0, ATTRIBUTES_BYTES, true);
  // The call also sets the priority, which should stay the same.
  attributes.setInt32(NICE_AT, getPriority(), true);
  attributes.setBigUint64(SLICE_AT, SLICE_NS, true);
  try {
    const { symbols } = dlopen("libc.so.6", { syscall: { args: ["i64", "i64", "ptr", "i64"], returns: "i64" } });
    const ask = (thread: number): boolean => Number(symbols.syscall(call, thread, ptr(attributes), 0)) === 0;
    // It fails for a thread that has ended meanwhile, which doesn't matter.
    for (const thread of ownThreads()) ask(thread);
    return ask(0);
  } catch {
    return false;
  }
}
