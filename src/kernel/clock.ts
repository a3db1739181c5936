/** The source of wall-clock time in milliseconds; tests hand in their own. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

export const toTimestamp = (ms: number): string => new Date(ms).toISOString();

/** A stored instant where 0 and null both mean "never". */
export const toTimestampOrNull = (ms: number | null): string | null => (ms ? toTimestamp(ms) : null);
