// Ctrl-C under npm arrives twice: from the terminal, and forwarded by npm.
const REPEAT_MS_MIN = 500;

export interface StopSignals {
  readonly first: Promise<void>;
  /** Someone asked again, and does not want to wait. */
  readonly second: Promise<void>;
}

/** Listens until the process exits: one more signal at the very end must not kill an orderly stop. */
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
