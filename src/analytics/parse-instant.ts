import type { TimeZone } from "#shared/time-zone.ts";
import { findDateStart } from "./bucket-starts.ts";

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const INSTANT = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Parses an RFC 3339 timestamp, or a date as its first instant in `zone`; `undefined` for any other text. */
export function parseInstant(text: string, zone: TimeZone): number | undefined {
  const midnight = parseDate(text);
  if (midnight !== undefined) return findDateStart(zone, midnight);
  const match = INSTANT.exec(text);
  if (!match) return undefined;
  const [, date = "", hour, minute, second, fraction = "", sign, offsetHour = "0", offsetMinute = "0"] = match;
  const day = parseDate(date);
  const [h, m, s, oh, om] = [hour, minute, second, offsetHour, offsetMinute].map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  if (day === undefined || h > 23 || m > 59 || s > 59 || oh > 23 || om > 59) return undefined;
  const local = day + ((h * 60 + m) * 60 + s) * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
  return local - (sign === "-" ? -1 : 1) * (oh * 60 + om) * 60_000;
}

/** A calendar date as its midnight in UTC. */
function parseDate(text: string): number | undefined {
  const match = DATE.exec(text);
  if (!match) return undefined;
  const [, year, month, day] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? date.getTime() : undefined;
}
