// A Ctrl-C under npm arrives twice: from the terminal, and passed on by npm.
const REPEAT_MS_MIN = 500;

export interface StopSignals {
  readonly first: Promise<void>;
  /** Somebody has lost patience. */
  readonly second: Promise<void>;
}

/** Listens until the process is gone: one signal more at the very end must not kill what is about to leave in order. */
export function listenForStop(): StopSignals {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  let firstAt: number | undefined;
  const onSignal = (): void => {
    firstAt ??= performance.now();
    first.resolve();
    if (performance.now() - firstAt > REPEAT_MS_MIN) second.resolve();
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  return { first: first.promise, second: second.promise };
}
