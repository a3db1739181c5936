import { readdirSync, readFileSync } from "node:fs";

export interface ThreadState {
  /** As Linux abbreviates it: `R` has or wants a core, `S` sleeps, `D` waits for a disk. */
  readonly state: string | undefined;
  /** How long it has been on a core so far. */
  readonly cpuMs: number;
}

const MS_PER_TICK = 10;
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** Reading this doesn't touch a disk. On other systems than Linux, and once it has ended, `undefined`. */
export function mainThreadState(pid: number): ThreadState | undefined {
  try {
    return readState(pid, String(pid));
  } catch {
    return undefined;
  }
}

/**
 * Whether a thread of the process is in an uninterruptible sleep, which is how Linux waits for disks that are frozen,
 * suspended or away.
 */
export function waitsForDisk(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).some((thread) => readState(pid, thread).state === "D");
  } catch {
    return false;
  }
}

function readState(pid: number, thread: string): ThreadState {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "latin1");
  // The state follows the name, which may contain anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return {
    state: fields[0],
    cpuMs: (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * MS_PER_TICK,
  };
}
