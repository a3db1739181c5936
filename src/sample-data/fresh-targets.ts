interface Fresh {
  readonly createdMs: number;
  readonly endedMs: number;
}

/** How far back a pick goes on average, in links. */
const STEPS_BACK = 3;
const FRESH_MS = 14 * 86_400_000;

/**
 * Picks among the links that were new at a time, mostly the newest: people share a link when they have made it. Nothing if
 * the link picked is no longer new, or over. Times must not go back.
 */
export function freshTargets<T extends Fresh>(
  targets: readonly T[],
  random: () => number,
): (atMs: number) => T | undefined {
  const byCreation = targets.toSorted((a, b) => a.createdMs - b.createdMs);
  let created = 0;
  return (atMs) => {
    while ((byCreation[created]?.createdMs ?? Number.POSITIVE_INFINITY) <= atMs) created += 1;
    const picked = byCreation[created - 1 - Math.floor(-Math.log(1 - random()) * STEPS_BACK)];
    return picked && picked.createdMs > atMs - FRESH_MS && atMs < picked.endedMs ? picked : undefined;
  };
}
