import { performance } from "node:perf_hooks";

const PERIOD_MS = 5;

/** Keeps a core busy for the given share of the time, until it is killed. */
function burn(share: number): never {
  for (;;) {
    const from = performance.now();
    while (performance.now() - from < PERIOD_MS * share);
    if (share < 1) Bun.sleepSync(PERIOD_MS * (1 - share));
  }
}

burn(Number(Bun.argv[2]));
