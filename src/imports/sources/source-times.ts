import { momentOfDay } from "#engines/clicks/click-counts.ts";
import { DAY_MS } from "#engines/clicks/slots.ts";
import { type ReadContext, SourceProblem } from "#imports/import-source.ts";
import { findTimeZone, type TimeZone } from "#shared/time-zone.ts";

const LOCAL = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/;
const WITH_OFFSET = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(?:(Z)|([+-]\d\d):?(\d\d)?)$/i;

export function zoneOf({ timeZone }: Pick<ReadContext, "timeZone">): TimeZone {
  const zone = findTimeZone(timeZone);
  if (!zone) throw new SourceProblem(`"${timeZone}" is not a time zone. Use a name such as Europe/Berlin.`);
  return zone;
}

/** A time as databases and services write it; without an offset, that of the zone. `null` if it is none. */
export function momentIn(text: string | null | undefined, zone: TimeZone): number | null {
  if (text === null || text === undefined) return null;
  if (/^\d{12,14}$/.test(text)) return Number(text);
  const [, date, time, zulu, hours, minutes = "00"] = WITH_OFFSET.exec(text) ?? [];
  if (date !== undefined) return orNull(Date.parse(`${date}T${time}${zulu ? "Z" : `${hours}:${minutes}`}`));
  const local = LOCAL.exec(text);
  const asUtc = local ? orNull(Date.parse(`${local[1]}T${local[2]}Z`)) : null;
  if (asUtc === null) return null;
  // The offset half a day around a change of clocks may be the other one; the second look has the right one.
  const guess = asUtc - zone.offsetAt(asUtc);
  return asUtc - zone.offsetAt(guess);
}

export const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Where a day's count belongs, from a text that begins with its date. */
export function momentOfDate(text: string): number | null {
  const ms = orNull(Date.parse(`${text.slice(0, 10)}T00:00:00Z`));
  return ms === null ? null : momentOfDay(Math.floor(ms / DAY_MS));
}

export const isWanted = ({ countsFrom }: Pick<ReadContext, "countsFrom">, atMs: number): boolean =>
  countsFrom === null || atMs >= countsFrom;

const orNull = (ms: number): number | null => (Number.isNaN(ms) ? null : ms);
