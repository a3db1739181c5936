export interface LagWatch {
  /** Returns by how many milliseconds a timer of this process was late at worst. */
  stop(): number;
}

const TICK_MS = 10;

/** Shows how busy the machine is: a process that gets no core in time runs its timers late. */
export function watchLag(): LagWatch {
  let dueAt = performance.now() + TICK_MS;
  let worst = 0;
  const look = (): void => {
    const now = performance.now();
    worst = Math.max(worst, now - dueAt);
    dueAt = now + TICK_MS;
  };
  const timer = setInterval(look, TICK_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      return Math.round(worst);
    },
  };
}
