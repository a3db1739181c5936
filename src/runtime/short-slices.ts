import { dlopen, ptr } from "bun:ffi";
import { readdirSync } from "node:fs";
import { getPriority } from "node:os";

// The number of sched_setattr(2), for which C libraries have had no function until lately.
const CALL_NUMBERS: Readonly<Record<string, number>> = { x64: 314, arm64: 274 };
const ATTRIBUTES_BYTES = 48;
const NICE_AT = 16;
const SLICE_AT = 24;
const SLICE_NS = 100_000n;

/**
 * Asks Linux (6.12 or newer) for short turns on a core, for all threads: what writes the journal is one of them, and
 * those that come later take after the one that starts them. Whoever asks for less gets it sooner: a redirect need not wait
 * for the end of a turn of something that computes for long, such as a report. Elsewhere nothing changes.
 */
export function askForShortSlices(): boolean {
  const call = CALL_NUMBERS[process.arch];
  if (process.platform !== "linux" || call === undefined) return false;
  const attributes = new DataView(new ArrayBuffer(ATTRIBUTES_BYTES));
  attributes.setUint32(0, ATTRIBUTES_BYTES, true);
  // It is set along with the turns, and is to stay.
  attributes.setInt32(NICE_AT, getPriority(), true);
  attributes.setBigUint64(SLICE_AT, SLICE_NS, true);
  try {
    const { symbols } = dlopen("libc.so.6", { syscall: { args: ["i64", "i64", "ptr", "i64"], returns: "i64" } });
    const ask = (thread: number): boolean => Number(symbols.syscall(call, thread, ptr(attributes), 0)) === 0;
    // One that ends meanwhile needs none.
    for (const thread of readdirSync("/proc/self/task")) ask(Number(thread));
    return ask(0);
  } catch {
    return false;
  }
}
