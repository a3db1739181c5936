import { findTimeZone } from "#shared/time-zone.ts";

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d\d:?\d\d| ?UTC)?)?$/i;
const UNIX = /^\d{9,10}$/;
const UNIX_MS = /^\d{12,13}$/;

export interface ReadDate {
  readonly ms: number;
  /** Whether it is more than a day. */
  readonly hasTime: boolean;
}

/**
 * Year first, or seconds or milliseconds since 1970; anything else could be read in two ways. Without an offset it is
 * local time of the zone.
 */
export function readDate(text: string, timeZone: string): ReadDate | null {
  if (UNIX.test(text)) return { ms: Number(text) * 1000, hasTime: true };
  if (UNIX_MS.test(text)) return { ms: Number(text), hasTime: true };
  const match = ISO.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute = "0", second = "0", fraction = "0", offset] = match;
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour ?? 0), Number(minute), Number(second));
  const whole = ms + Math.floor(Number(`0.${fraction}`) * 1000);
  const made = new Date(ms);
  const isReal = made.getUTCMonth() + 1 === Number(month) && made.getUTCDate() === Number(day) && ms >= 0;
  if (!isReal || Number(hour ?? 0) > 23 || Number(minute) > 59) return null;
  // A day is that day wherever it was counted.
  if (hour === undefined) return { ms: whole, hasTime: false };
  return { ms: whole - offsetOf(whole, offset, timeZone), hasTime: true };
}

function offsetOf(localMs: number, offset: string | undefined, timeZone: string): number {
  if (offset === undefined) return zoneOffset(localMs, timeZone);
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)/.exec(offset) ?? [];
  if (sign === undefined) return 0;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function zoneOffset(localMs: number, timeZone: string): number {
  const zone = findTimeZone(timeZone);
  if (!zone) return 0;
  // The offset depends on the instant, which depends on the offset: the second look is right but for changes of the clock.
  return zone.offsetAt(localMs - zone.offsetAt(localMs));
}
