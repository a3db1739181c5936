// Ctrl-C under npm arrives twice: from the terminal, and forwarded by npm.
const REPEAT_MS_MIN = 500;

export interface StopSignals {
  readonly first: Promise<void>;
  /** Someone asked again, and does not want to wait. */
  readonly second: Promise<void>;
  /** And again. */
  readonly third: Promise<void>;
}

/** Listens until the process exits: one more signal at the very end must not kill an orderly stop. */
export function listenForStop(): StopSignals {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const third = Promise.withResolvers<void>();
  const expected = [first, second, third];
  let lastAt = Number.NEGATIVE_INFINITY;
  const onSignal = (): void => {
    if (performance.now() - lastAt <= REPEAT_MS_MIN) return;
    lastAt = performance.now();
    expected.shift()?.resolve();
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  return { first: first.promise, second: second.promise, third: third.promise };
}
