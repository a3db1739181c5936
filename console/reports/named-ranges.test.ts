import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addDays, dayIn } from "#console/ui/days.ts";
import { rangeNames, toReportRange } from "./named-ranges.ts";

const TUESDAY = Date.parse("2026-11-17T14:30:00Z");
const days = (from: string, to: string) => ({ from, to });

test.each([
  ["today", days("2026-11-17", "2026-11-18")],
  ["7d", days("2026-11-11", "2026-11-18")],
  ["30d", days("2026-10-19", "2026-11-18")],
  ["90d", days("2026-08-20", "2026-11-18")],
  ["1y", days("2025-11-24", "2026-11-18")],
  ["mtd", days("2026-11-01", "2026-11-18")],
  ["last_month", days("2026-10-01", "2026-11-01")],
  ["ytd", days("2026-01-01", "2026-11-18")],
  ["24h", days("2026-11-16T15:00:00.000Z", "2026-11-17T15:00:00.000Z")],
  ["all", { interval: "all" }],
] as const)("%s is %j", (name, range) => {
  expect<object>(toReportRange(name, "UTC", TUESDAY)).toEqual(range);
});

test("today is the time zone's", () => {
  const evening = Date.parse("2026-11-17T22:30:00Z");
  expect(toReportRange("7d", "Asia/Tokyo", evening)).toEqual(days("2026-11-12", "2026-11-19"));
  expect(toReportRange("mtd", "Pacific/Kiritimati", Date.parse("2026-11-30T12:00:00Z"))).toEqual(
    days("2026-12-01", "2026-12-02"),
  );
});

test("hours are those of the local clock, also where it is off by half of one", () => {
  expect(toReportRange("24h", "Asia/Kolkata", Date.parse("2026-11-17T14:10:00Z"))).toEqual(
    days("2026-11-16T14:30:00.000Z", "2026-11-17T14:30:00.000Z"),
  );
});

describe("days stay days when the clock changes", () => {
  test.each([
    ["Europe/Berlin", "2026-03-29T00:30:00Z", "2026-03-29"],
    ["Europe/Berlin", "2026-03-29T21:59:00Z", "2026-03-29"],
    ["Europe/Berlin", "2026-03-29T22:00:00Z", "2026-03-30"],
    ["America/New_York", "2026-11-01T05:30:00Z", "2026-11-01"],
    ["America/New_York", "2026-11-02T04:59:00Z", "2026-11-01"],
    ["America/Santiago", "2026-09-06T04:00:00Z", "2026-09-06"],
  ])("in %s at %s", (zone, instant, today) => {
    const { from = "", to = "" } = toReportRange("30d", zone, Date.parse(instant));
    expect([from, to]).toEqual([addDays(today, -29), addDays(today, 1)]);
  });
});

test("a range never begins later while time goes by within a day, so that its totals can't fall", () => {
  const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia");
  const instant = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) });
  const later = fc.integer({ min: 0, max: 86_400_000 });
  const named = fc.constantFrom(...rangeNames.filter((name) => name !== "24h" && name !== "all"));
  fc.assert(
    fc.property(zone, instant, later, named, (timezone, nowMs, passedMs, name) => {
      fc.pre(dayIn(timezone, nowMs) === dayIn(timezone, nowMs + passedMs));
      expect(toReportRange(name, timezone, nowMs + passedMs)).toEqual(toReportRange(name, timezone, nowMs));
    }),
  );
});
