const ANSWER_MS_MAX = 1000;

/** Whether this node's control process takes requests. */
export async function isControlUp(socketPath: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    return (await fetch("http://localhost/readyz", { unix: socketPath, signal })).ok;
  } catch {
    return false;
  }
}
