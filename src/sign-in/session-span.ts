const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const IDLE_DAYS = 7;

/** How long a session lives, no matter how often it is used, unless the operator says otherwise. */
export const SESSION_DAYS = 30;

/** When a session ends that was used last at `usedAt`. */
export const sessionEnd = (startedAt: number, usedAt: number, sessionDays: number): number =>
  Math.min(usedAt + IDLE_DAYS * DAY_MS, startedAt + sessionDays * DAY_MS);

interface Span {
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
}

/** The new end of a session that is in use; `null` if it was noted within an hour. */
export function extendedEnd(
  { createdAt, updatedAt, expiresAt }: Span,
  now: number,
  sessionDays: number,
): number | null {
  const end = sessionEnd(createdAt.getTime(), now, sessionDays);
  const isDue = now - updatedAt.getTime() >= HOUR_MS || end - expiresAt.getTime() >= HOUR_MS;
  return isDue ? end : null;
}
