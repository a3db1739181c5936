const EPOCH_SECONDS_MIN = 1_000_000_000;
const EPOCH_MS_MIN = EPOCH_SECONDS_MIN * 1000;

/** How long a service asks to wait. Besides seconds and dates (RFC 9110), some send the time itself as a number. */
export function retryAfterMs(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  const number = /^\s*\d+\s*$/.test(text) ? Number(text) : null;
  if (number !== null && number < EPOCH_SECONDS_MIN) return number * 1000;
  const at = number === null ? Date.parse(text) : number < EPOCH_MS_MIN ? number * 1000 : number;
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
