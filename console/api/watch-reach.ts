import { getState } from "#contract/console/session.ts";
import { CallError, call } from "./call.ts";
import { isReachable } from "./reach.ts";

const ASK_AGAIN_MS = 5000;

/**
 * Asks the server whether it is there. An error is an answer, too. `isReachable` follows, but isn't what is returned:
 * the answer to another request, made while the server was still there, may have just arrived.
 */
export async function askServer(): Promise<boolean> {
  try {
    await call(getState, {}, null);
    return true;
  } catch (error) {
    return error instanceof CallError && error.code !== "offline";
  }
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
