import { ClicksUnavailable } from "./clicks-engine.ts";

interface Queue {
  readonly waitingMax: number;
  readonly waitMsMax: number;
}

/**
 * Lets `places` callers in at a time, in the order they came. With a `queue`, whoever finds too many waiting, or has
 * waited for too long, is turned away; so is, whatever the queue, whoever still waits when the `signal` it brought aborts.
 */
export function turnstile(places: number, queue?: Queue) {
  const waiting = new Set<() => void>();
  let inside = 0;

  async function enter(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (inside < places) {
      inside += 1;
      return;
    }
    if (queue && waiting.size >= queue.waitingMax) throw tooMany();
    // The place is handed over by whoever leaves, so that nobody can slip in between.
    await new Promise<void>((resolve, reject) => {
      const giveUp = (why: unknown): void => {
        stopWatching();
        waiting.delete(takePlace);
        reject(why);
      };
      const onAbort = (): void => giveUp(signal?.reason);
      const timer = queue && setTimeout(() => giveUp(tooMany()), queue.waitMsMax);
      const stopWatching = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      const takePlace = (): void => {
        stopWatching();
        resolve();
      };
      signal?.addEventListener("abort", onAbort);
      waiting.add(takePlace);
    });
  }

  function leave(): void {
    const [takePlace] = waiting;
    if (!takePlace) {
      inside -= 1;
      return;
    }
    waiting.delete(takePlace);
    takePlace();
  }

  return {
    async pass<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

const tooMany = (): ClicksUnavailable => new ClicksUnavailable("Too many reports are waiting.");
