import { dlopen } from "bun:ffi";

const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;

/**
 * Asks the kernel to end this process with its parent, also when it hangs or is stopped and so cannot see the closed
 * channel. Bun spawns from its main thread, whose end is the parent's. Elsewhere than on glibc nothing happens.
 */
export function dieWithParent(): boolean {
  if (process.platform !== "linux") return false;
  try {
    const { symbols } = dlopen("libc.so.6", {
      prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
    });
    return symbols.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) === 0;
  } catch {
    return false;
  }
}
