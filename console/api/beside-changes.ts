/** Changes that were sent and are not answered yet. */
const underWay = new Set<Promise<unknown>>();
let ended = 0;

/** Sends a change, whose answer may give the session a new id: by a new password, or by confirming who it is. */
export async function asChange<T>(send: () => Promise<T>): Promise<T> {
  const change = send();
  underWay.add(change);
  try {
    return await change;
  } finally {
    underWay.delete(change);
    ended++;
  }
}

/**
 * Asks for something, and again if it was refused for want of a session while a change was under way: the question may
 * have left with the old id.
 */
export async function besideChanges<T>(ask: () => Promise<T>, isSignedOut: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const endedBefore = ended;
    const answer = await ask();
    if (!isSignedOut(answer) || (underWay.size === 0 && ended === endedBefore)) return answer;
    await Promise.allSettled(underWay);
  }
}
