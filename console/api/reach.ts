import { makeStore } from "#console/ui/store.ts";

/** Whether the server answered when it was last asked. */
export const isReachable = makeStore(true);

/** Resolves at once if the server answered last time, otherwise when it does again. */
export function untilReachable(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => {
    if (!isReachable.get()) return;
    stop();
    resolve();
  };
  const stop = isReachable.subscribe(look);
  look();
  return promise;
}
