export interface Load {
  /** Waits for every loop to end its round; throws what one of them threw. */
  stop(): Promise<void>;
}

const REST_MS = 2;

/** Runs `round` repeatedly in that many loops, with short pauses, until stopped. */
export function startLoad(loops: number, round: (loop: number) => Promise<void>, restMs = REST_MS): Load {
  let isStopped = false;
  const run = async (loop: number): Promise<void> => {
    while (!isStopped) {
      await round(loop);
      await Bun.sleep(restMs);
    }
  };
  const running = Promise.all(Array.from({ length: loops }, (_, loop) => run(loop)));
  // `stop` reports it; without this a loop that fails early would end the test run.
  running.catch(() => {});
  return {
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
