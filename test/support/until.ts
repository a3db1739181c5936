const POLL_MS = 10;

/**
 * Waits until the condition is true and returns how many milliseconds that took. `msMax` is patience for a busy machine;
 * a test passes its own only for a promise of the product, or for what takes longer. It passes `pollMs` if it waits long
 * and asking is costly.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  msMax = 60_000,
  pollMs = POLL_MS,
): Promise<number> {
  const startedAt = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedAt > msMax) throw new Error(`not within ${msMax} ms: ${what}`);
    await Bun.sleep(pollMs);
  }
  return performance.now() - startedAt;
}
