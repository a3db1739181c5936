import { CallError } from "#console/api/call.ts";

const AT_A_TIME = 4;
const TRIES_MAX = 5;
const WAIT_MS_MAX = 60_000;

export interface Failure<T> {
  readonly item: T;
  readonly error: Error;
}

interface RunOptions {
  readonly onProgress?: (done: number) => void;
  readonly atATime?: number;
}

/** Works through a list, a few at a time; what fails is told in the end and stops nothing. */
export async function runAll<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  { onProgress, atATime = AT_A_TIME }: RunOptions = {},
): Promise<{ readonly failures: readonly Failure<T>[] }> {
  const failures: Failure<T>[] = [];
  const queue = items.values();
  let done = 0;
  async function takeTurns(): Promise<void> {
    for (const item of queue) {
      try {
        await patiently(() => work(item));
      } catch (error) {
        failures.push({ item, error: error instanceof Error ? error : new Error(String(error)) });
      }
      done += 1;
      onProgress?.(done);
    }
  }
  await Promise.all(Array.from({ length: atATime }, takeTurns));
  return { failures };
}

/** Waits as long as the server asks for when there were too many requests. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const seconds = error instanceof CallError && error.code === "rate_limited" ? error.retryAfterSeconds : null;
      if (seconds === null || tries === TRIES_MAX) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.min(seconds * 1000, WAIT_MS_MAX)));
    }
  }
}
