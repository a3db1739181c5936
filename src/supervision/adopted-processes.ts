import { dlopen } from "bun:ffi";
import { logEvent } from "#runtime/log.ts";

const WNOHANG = 1;
const CHECK_MS = 20;
// More than a redirect process takes to finish the requests that it has.
const STOP_MS_MAX = 15_000;

/**
 * Ends processes that the program before this one has started: children of this process, but unknown to the runtime, so
 * nobody else takes note of their end. Resolves when all of them are gone.
 */
export async function endAdopted(pids: readonly number[]): Promise<void> {
  if (pids.length === 0) return;
  const { symbols } = dlopen("libc.so.6", { waitpid: { args: ["i32", "ptr", "i32"], returns: "i32" } });
  // It is 0 as long as the process runs, and negative if there is none (any more).
  const left = new Set(pids);
  const forgetEnded = (): void => {
    for (const pid of left) if (symbols.waitpid(pid, null, WNOHANG) !== 0) left.delete(pid);
  };
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of left) process.kill(pid, name);
  };
  forgetEnded();
  signal("SIGTERM");
  for (const startedAt = performance.now(); left.size > 0; await Bun.sleep(CHECK_MS)) {
    forgetEnded();
    if (performance.now() - startedAt < STOP_MS_MAX || left.size === 0) continue;
    logEvent("warn", "processes of the program before didn't stop in time", { pids: [...left] });
    signal("SIGKILL");
    for (; left.size > 0; await Bun.sleep(CHECK_MS)) forgetEnded();
    return;
  }
}
