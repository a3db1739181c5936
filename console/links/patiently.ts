import { CallError } from "#console/api/call.ts";

const TRIES_MAX = 5;
const WAIT_MS_MAX = 60_000;

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
