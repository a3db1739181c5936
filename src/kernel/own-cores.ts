import { ownThreads } from "./own-threads.ts";
import { allowCores, coresOf } from "./thread-cores.ts";

type Cores = readonly number[];

/**
 * Keeps all threads of this process on some of the cores that it may use, until what this returns is called. Does nothing
 * where it would keep all of them or none, and on systems other than Linux.
 */
export function keepToCores(choose: (cores: Cores) => Cores): () => void {
  // Read before any is moved: threads that are started meanwhile inherit the cores of the one that starts them.
  const before = new Map(ownThreads().map((thread) => [thread, coresOf(thread) ?? []]));
  const all = before.get(process.pid) ?? [];
  const chosen = choose(all);
  if (chosen.length === 0 || chosen.length === all.length) return () => {};
  const isWithin = (cores: Cores): boolean => cores.every((core) => chosen.includes(core));
  for (const thread of everyThread()) {
    // One that keeps to a core of its own stays there.
    if (!isWithin(before.get(thread) ?? all)) allowCores(thread, chosen);
  }
  return () => {
    for (const thread of everyThread()) allowCores(thread, before.get(thread) ?? all);
  };
}

/** Also those that are started meanwhile, by a thread whose turn hasn't come yet. */
function* everyThread(): Generator<number> {
  const seen = new Set<number>();
  for (let before = -1; before < seen.size; ) {
    before = seen.size;
    for (const thread of ownThreads()) {
      if (seen.has(thread)) continue;
      seen.add(thread);
      yield thread;
    }
  }
}
