/** Resolves in the next event loop iteration, after everything else that is waiting. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
