/** The longest attempt, from the look-up of the name to the end of the response. */
export const ATTEMPT_MS_MAX = 15_000;
/** From the claim to the first byte sent: how long its commit may take. */
const START_MS_MAX = 10_000;
/** How far the clocks of nodes may differ, and timers be late. */
const CLOCK_MS_MAX = 5000;

/** Outlives the attempt even if it is never renewed, so that nobody else sends the delivery at the same time. */
export const LEASE_MS = START_MS_MAX + ATTEMPT_MS_MAX + CLOCK_MS_MAX;
export const RENEW_MS = LEASE_MS / 3;

/** Whether an attempt that starts now ends before the lease, as the clock of any node shows it. */
export const outlivesAttempt = (leasedUntil: number, now: number): boolean =>
  leasedUntil - now >= ATTEMPT_MS_MAX + CLOCK_MS_MAX;
