const POLL_MS = 10;

/**
 * Waits until the condition is true and returns how many milliseconds that took. `msMax` is patience for a busy machine;
 * a test passes its own only for a promise of the product, or for what takes longer.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  msMax = 60_000,
): Promise<number> {
  const startedAt = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedAt > msMax) throw new Error(`not within ${msMax} ms: ${what}`);
    await Bun.sleep(POLL_MS);
  }
  return performance.now() - startedAt;
}
