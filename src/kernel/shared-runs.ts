/**
 * Lets concurrent calls share runs of `run`, one at a time. Each call resolves with a run that started after it was made,
 * so that run has seen everything the caller did before.
 */
export function sharedRuns(run: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const start = (): Promise<void> => {
    const started = run().finally(() => {
      current = undefined;
    });
    current = started;
    return started;
  };

  return () => {
    if (current === undefined) return start();
    next ??= current
      .catch(() => {})
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
