/** Changes that were sent and are not answered yet. */
const underWay = new Set<Promise<unknown>>();
/** How many have ended, except those refused because the session was unknown. */
let ended = 0;

type IsSignedOut<T> = (answer: T) => boolean | Promise<boolean>;

/**
 * Sends a change, whose answer may give the session a new id: by a new password, or by confirming who it is. If it was
 * refused because the session was unknown, and another change was under way, it is sent again: it may have left with the
 * old id, and did nothing.
 */
export const asChange = <T>(send: () => Promise<T>, isSignedOut: IsSignedOut<T>): Promise<T> =>
  besideChanges(() => track(send, isSignedOut), isSignedOut);

function track<T>(send: () => Promise<T>, isSignedOut: IsSignedOut<T>): Promise<T> {
  // As a whole: those who wait for it look at the count next.
  const change = counted(send, isSignedOut);
  const forget = () => underWay.delete(change);
  underWay.add(change);
  change.then(forget, forget);
  return change;
}

async function counted<T>(send: () => Promise<T>, isSignedOut: IsSignedOut<T>): Promise<T> {
  let isRefused = false;
  try {
    const answer = await send();
    isRefused = await isSignedOut(answer);
    return answer;
  } finally {
    if (!isRefused) ended++;
  }
}

/**
 * Asks for something, and again if it was refused because the session was unknown while a change was under way: the
 * question may have left with the old id.
 */
export async function besideChanges<T>(ask: () => Promise<T>, isSignedOut: IsSignedOut<T>): Promise<T> {
  for (;;) {
    const endedBefore = ended;
    const answer = await ask();
    if (!(await isSignedOut(answer))) return answer;
    if (ended === endedBefore) await Promise.allSettled(underWay);
    // Others that were refused with it are no news.
    if (ended === endedBefore) return answer;
  }
}
