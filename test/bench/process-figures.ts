import { readdirSync, readFileSync } from "node:fs";

/** Linux reports CPU time in hundredths of a second, whatever its own tick is. */
const TICK_MICROS = 10_000;

/** User and system time of the processes so far, in microseconds. */
export function cpuMicrosOf(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const fields = statFields(pid);
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * TICK_MICROS;
}

/** The same of a process and its descendants, including those of its children that have ended. */
export function cpuMicrosOfTree(root: number): number {
  for (;;) {
    const fields = statFields(root);
    const ended = Number(fields[13]) + Number(fields[14]);
    try {
      return cpuMicrosOf(processTree(root)) + ended * TICK_MICROS;
    } catch {
      // One of them ended meanwhile: by now it is among those.
    }
  }
}

// Longer than ingestion pauses between two runs: before that, it may not be done.
const IDLE_MS = 1250;
const IDLE_TICKS = 4;
/** Enough for all that a burst of a few seconds leaves to do; a machine that is never quiet must not keep a bench. */
const IDLE_WAIT_MS_MAX = 15_000;

/** Waits until the processes have finished the background work of a load, such as ingesting its clicks. */
export async function waitUntilIdle(pids: readonly number[], msMax = IDLE_WAIT_MS_MAX): Promise<void> {
  const deadline = performance.now() + msMax;
  for (let before = cpuMicrosOf(pids); performance.now() < deadline; ) {
    await Bun.sleep(IDLE_MS);
    const now = cpuMicrosOf(pids);
    if (now - before <= IDLE_TICKS * TICK_MICROS) return;
    before = now;
  }
}

/** How long the main thread of a process was ready to run and waited for a core, in milliseconds so far. */
export const coreWaitMsOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;

/** A process and all its descendants. */
export function processTree(root: number): number[] {
  const childrenOf = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const parent = parentOf(pid);
    if (parent !== undefined) childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), pid]);
  }
  const found = [root];
  for (const pid of found) found.push(...(childrenOf.get(pid) ?? []));
  return found;
}

export interface Memory {
  /** Pages that several processes share count for each of them. */
  readonly resident: number;
  /** Shared pages count once. */
  readonly proportional: number;
}

/** In megabytes. */
export function memoryOf(pids: readonly number[]): Memory {
  let resident = 0;
  let proportional = 0;
  for (const pid of pids) {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    resident += kilobytesIn(text, "Rss");
    proportional += kilobytesIn(text, "Pss");
  }
  return { resident: resident / 1024, proportional: proportional / 1024 };
}

const kilobytesIn = (text: string, name: string): number =>
  Number(new RegExp(`^${name}: +(\\d+) kB`, "m").exec(text)?.[1] ?? Number.NaN);

/** The fields from the third on: the second is the program name, which may contain spaces and parentheses. */
function statFields(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

export function parentOf(pid: number): number | undefined {
  try {
    return Number(statFields(pid)[1]);
  } catch {
    // It ended after the directory was read.
    return undefined;
  }
}
