const POLL_MS = 20;

/** Asks again and again until the answer is yes, and fails when it has not come in time. */
export async function waitFor(isSo: () => Promise<boolean>, msMax = 5000): Promise<void> {
  const deadline = performance.now() + msMax;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`it was not so within ${msMax} ms`);
    await Bun.sleep(POLL_MS);
  }
}
