const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** The delay after each failed attempt: ten attempts within 75.6 hours. */
const RETRY_DELAYS_MS = [
  5000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** No attempt is delayed for longer, whatever the receiver's Retry-After says. */
export const RETRY_DELAY_MS_MAX = 2 * Math.max(...RETRY_DELAYS_MS);
export const ATTEMPTS_MAX = RETRY_DELAYS_MS.length + 1;

const JITTER = 0.2;
const OVERLOADED_MS_MIN = MINUTE_MS;

export interface FailedAttempt {
  /** Attempts so far, including this one. */
  readonly attempts: number;
  /** It timed out or returned 429, so a quick retry would only make it worse. */
  readonly isOverloaded: boolean;
  /** The receiver's Retry-After header. */
  readonly retryAfter: string | null;
  readonly now: number;
}

/** How long to wait before the next attempt, or `null` if there is none. */
export function findRetryDelayMs({ attempts, isOverloaded, retryAfter, now }: FailedAttempt, random = Math.random) {
  const base = RETRY_DELAYS_MS[attempts - 1];
  if (base === undefined) return null;
  const least = isOverloaded ? Math.max(base, OVERLOADED_MS_MIN) : base;
  const asked = retryAfter === null ? null : parseRetryAfterMs(retryAfter, now);
  // A receiver may double the delay, but not postpone deliveries forever.
  if (asked !== null) return Math.round(Math.min(Math.max(asked, least), Math.max(2 * base, least)));
  const jitter = 1 + JITTER * (2 * random() - 1);
  return Math.round(Math.max(base * jitter, isOverloaded ? OVERLOADED_MS_MIN : 0));
}

/** Seconds or a date (RFC 9110 §10.2.3). */
function parseRetryAfterMs(text: string, now: number): number | null {
  if (/^\d{1,10}$/.test(text.trim())) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at - now;
}
