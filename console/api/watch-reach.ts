import { getState } from "#contract/console/session.ts";
import { call } from "./call.ts";
import { isReachable } from "./reach.ts";

const ASK_AGAIN_MS = 5000;

/** Asks the server whether it is there; `isReachable` follows the answer. An error is an answer, too. */
export async function askServer(): Promise<boolean> {
  await call(getState, {}, null).catch(() => undefined);
  return isReachable.get();
}

/**
 * While the server is away, asks again until it answers. A browser that notices a change of the network is taken as a
 * hint to ask at once, never as the answer: a server on the same machine needs no network.
 */
export function watchReach(): void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const ask = () => void askServer();
  isReachable.subscribe(() => {
    clearInterval(timer);
    if (!isReachable.get()) timer = setInterval(ask, ASK_AGAIN_MS);
  });
  window.addEventListener("offline", ask);
  window.addEventListener("online", ask);
}
