import { expect, test } from "bun:test";
import { findTimeZone, type TimeZone } from "#shared/time-zone.ts";
import { momentIn, momentOfDate } from "./source-times.ts";

const zone = (name: string): TimeZone => {
  const found = findTimeZone(name);
  if (!found) throw new Error(name);
  return found;
};

test.each([
  ["2026-01-02 03:04:05", "UTC", "2026-01-02T03:04:05.000Z"],
  ["2026-01-02 03:04:05", "Europe/Berlin", "2026-01-02T02:04:05.000Z"],
  ["2026-07-02T03:04:05", "Europe/Berlin", "2026-07-02T01:04:05.000Z"],
  ["2026-03-29 03:30:00", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
  ["2026-10-24 23:59:59", "America/New_York", "2026-10-25T03:59:59.000Z"],
  ["2026-01-02 03:04:05.678+00", "Europe/Berlin", "2026-01-02T03:04:05.678Z"],
  ["2026-01-02T03:04:05+0200", "UTC", "2026-01-02T01:04:05.000Z"],
  ["2026-01-02T03:04:05-03:30", "UTC", "2026-01-02T06:34:05.000Z"],
  ["2026-01-02T03:04:05.678Z", "UTC", "2026-01-02T03:04:05.678Z"],
  ["1767323045678", "UTC", "2026-01-02T03:04:05.678Z"],
])("%p in %p is %p", (text, name, iso) => {
  const ms = momentIn(text, zone(name));
  expect(ms === null ? null : new Date(ms).toISOString()).toBe(iso);
});

test("what is no time is none", () => {
  for (const text of ["", "0000-00-00 00:00:00", "yesterday", null, undefined]) {
    expect(momentIn(text, zone("UTC"))).toBeNull();
  }
});

test("a day's count is at 11:00 UTC, whatever offset the service writes", () => {
  expect(momentOfDate("2026-01-02T00:00:00+0000")).toBe(Date.UTC(2026, 0, 2, 11));
  expect(momentOfDate("2026-01-02")).toBe(Date.UTC(2026, 0, 2, 11));
  expect(momentOfDate("never")).toBeNull();
});
