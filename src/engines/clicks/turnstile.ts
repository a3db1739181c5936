import { ClicksUnavailable } from "./clicks-engine.ts";

/** Lets `places` callers in at a time, in the order they came; turns away whoever finds too many waiting. */
export function turnstile(places: number, waitingMax: number) {
  const waiting: (() => void)[] = [];
  let inside = 0;

  async function enter(): Promise<void> {
    if (inside < places) {
      inside += 1;
      return;
    }
    if (waiting.length >= waitingMax) throw new ClicksUnavailable("Too many reports are waiting.");
    // The place is handed over by whoever leaves, so that nobody can slip in between.
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else inside -= 1;
  }

  return {
    async pass<T>(work: () => Promise<T>): Promise<T> {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
