import { readdirSync, readFileSync } from "node:fs";

/**
 * Whether a thread of the process is in an uninterruptible sleep, which is how Linux waits for disks that are frozen,
 * suspended or away. Reading this does not touch a disk. On other systems the answer is always no.
 */
export function waitsForDisk(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).some((thread) => stateOf(pid, thread) === "D");
  } catch {
    return false;
  }
}

/** The state follows the name, which may contain anything. */
function stateOf(pid: number, thread: string): string | undefined {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "latin1");
  return stat[stat.lastIndexOf(")") + 2];
}
