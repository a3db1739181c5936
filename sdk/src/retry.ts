import type { OperationRoute } from "./generated.ts";
import { KurzConnectionError, KurzError } from "./kurz-error.ts";

const RETRY_AFTER_SECONDS_MAX = 60;
const BACKOFF_MS_BASE = 500;
const BACKOFF_MS_MAX = 8000;

/** A repeated patch would undo changes made after the first one, unless it names the version to change. */
export const isRepeatable = (
  { method, repeatable }: Pick<OperationRoute, "method" | "repeatable">,
  ifMatch: string | undefined,
): boolean => repeatable && (method !== "PATCH" || (ifMatch !== undefined && ifMatch !== "*"));

/** Whether an attempt that failed like this may have done its work. */
export const isAmbiguous = (error: unknown): boolean => !(error instanceof KurzError) || error.status >= 500;

function isRetryable(error: unknown, repeatable: boolean): boolean {
  if (error instanceof KurzConnectionError) return repeatable;
  if (!(error instanceof KurzError)) return false;
  switch (error.status) {
    // The service rejected the request before doing anything.
    case 429:
      return true;
    case 409:
      return error.is("idempotency_in_progress");
    case 500:
    case 502:
    // May also come from a service that stopped halfway.
    case 503:
    case 504:
      return repeatable;
    default:
      return false;
  }
}

interface Failure {
  readonly error: unknown;
  readonly repeatable: boolean;
  /** Retries so far. */
  readonly retries: number;
  readonly random: () => number;
}

/** How long to wait before the next attempt; `undefined` if there should be none. */
export function findRetryDelayMs({ error, repeatable, retries, random }: Failure): number | undefined {
  if (!isRetryable(error, repeatable)) return undefined;
  const asked = error instanceof KurzError ? error.retryAfterSeconds : null;
  // Retrying earlier would fail again, so longer waits are left to the caller.
  if (asked !== null) return asked <= RETRY_AFTER_SECONDS_MAX ? asked * 1000 : undefined;
  return Math.min(BACKOFF_MS_MAX, BACKOFF_MS_BASE * 2 ** retries) * (0.5 + random() / 2);
}

/** Rejects if `signal` is aborted. */
export const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
  });
