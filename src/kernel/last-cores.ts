import { ownThreads } from "./own-threads.ts";
import { allowCores, coresOf } from "./thread-cores.ts";

type Cores = readonly number[];

let holders = 0;
let before = new Map<number, Cores>();

/** Begins something that lasts until what it returns is called. */
export type Hold = () => () => void;

/**
 * Keeps all threads of this process on the last cores that it may use, until everyone who asked for it has called what
 * this returns. Long work that is mostly idle would otherwise be moved to whichever core is free for a moment, where it is
 * in the way of the next redirect. Does nothing where all cores would be kept, and on systems other than Linux.
 */
export function keepToLastCores(count: number): () => void {
  if (holders === 0) before = leaveFirstCores(count);
  holders += 1;
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    holders -= 1;
    if (holders === 0) giveBack(before);
  };
}

/** Returns what threads that were moved could use before. */
function leaveFirstCores(count: number): Map<number, Cores> {
  const moved = new Map<number, Cores>();
  for (const thread of ownThreads()) {
    const cores = coresOf(thread);
    if (cores !== null && cores.length > count && allowCores(thread, cores.slice(-count))) moved.set(thread, cores);
  }
  return moved;
}

/** Threads that were started meanwhile have inherited the last cores; they get what the first thread had. */
function giveBack(moved: ReadonlyMap<number, Cores>): void {
  const all = moved.get(process.pid);
  if (all === undefined) return;
  for (const thread of ownThreads()) allowCores(thread, moved.get(thread) ?? all);
}
