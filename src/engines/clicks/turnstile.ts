import { ClicksUnavailable } from "./clicks-engine.ts";

interface Queue {
  readonly waitingMax: number;
  readonly waitMsMax: number;
}

/**
 * Lets `places` callers in at a time, in the order they came. With a `queue`, whoever finds too many waiting, or has
 * waited for too long, is turned away.
 */
export function turnstile(places: number, queue?: Queue) {
  const waiting = new Set<() => void>();
  let inside = 0;

  async function enter(): Promise<void> {
    if (inside < places) {
      inside += 1;
      return;
    }
    if (queue && waiting.size >= queue.waitingMax) throw tooMany();
    // The place is handed over by whoever leaves, so that nobody can slip in between.
    await new Promise<void>((resolve, reject) => {
      const giveUp = (): void => {
        waiting.delete(takePlace);
        reject(tooMany());
      };
      const timer = queue && setTimeout(giveUp, queue.waitMsMax);
      const takePlace = (): void => {
        clearTimeout(timer);
        resolve();
      };
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

const tooMany = (): ClicksUnavailable => new ClicksUnavailable("Too many reports are waiting.");
