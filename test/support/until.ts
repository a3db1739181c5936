const POLL_MS = 10;

/** Waits until the condition holds and returns how many milliseconds that took. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  msMax = 20_000,
): Promise<number> {
  const startedAt = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedAt > msMax) throw new Error(`not within ${msMax} ms: ${what}`);
    await Bun.sleep(POLL_MS);
  }
  return performance.now() - startedAt;
}
