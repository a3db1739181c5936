import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addDays, dayIn } from "#console/ui/days.ts";
import { type RangeName, toReportRange } from "./named-ranges.ts";
import { findPeriodBefore } from "./period-before.ts";

const NOW = Date.parse("2026-11-17T14:30:00Z");
const before = (from: string, to: string | undefined, timezone = "UTC", nowMs = NOW) =>
  findPeriodBefore({ from, timezone, ...(to !== undefined && { to }) }, nowMs);

test("days that are over are compared with as many days", () => {
  expect(before("2026-11-01", "2026-11-11")).toEqual({ from: "2026-10-22", to: "2026-11-01" });
  expect(before("2026-11-16", "2026-11-17")).toEqual({ from: "2026-11-15", to: "2026-11-16" });
});

test("today is compared with the same part of the earlier day", () => {
  expect(before("2026-11-17", "2026-11-18")).toEqual({ from: "2026-11-16", to: "2026-11-16T14:30:00.000Z" });
  expect(before("2026-10-19", "2026-11-18")).toEqual({ from: "2026-09-19", to: "2026-10-18T14:30:00.000Z" });
  expect(before("2026-11-11", undefined)).toEqual({ from: "2026-11-04", to: "2026-11-10T14:30:00.000Z" });
  // Into the future, too.
  expect(before("2026-11-16", "2026-11-23")).toEqual({ from: "2026-11-09", to: "2026-11-10T14:30:00.000Z" });
});

describe("a range by the calendar is compared by the calendar", () => {
  const beforeNamed = (name: RangeName, now: string) => {
    const nowMs = Date.parse(now);
    return findPeriodBefore({ ...toReportRange(name, "UTC", nowMs), timezone: "UTC" }, nowMs, name);
  };
  test.each([
    ["mtd", "2026-11-17T14:30:00Z", "2026-10-01", "2026-10-17T14:30:00.000Z"],
    ["mtd", "2026-11-07T14:30:00Z", "2026-10-01", "2026-10-07T14:30:00.000Z"],
    ["7d", "2026-11-07T14:30:00Z", "2026-10-25", "2026-10-31T14:30:00.000Z"],
    // The month before has no such day.
    ["mtd", "2026-03-31T14:30:00Z", "2026-02-01", "2026-03-01"],
    ["last_month", "2026-11-17T14:30:00Z", "2026-09-01", "2026-10-01"],
    ["last_month", "2026-03-17T14:30:00Z", "2026-01-01", "2026-02-01"],
    ["ytd", "2026-03-17T14:30:00Z", "2025-01-01", "2025-03-17T14:30:00.000Z"],
    ["ytd", "2028-02-29T14:30:00Z", "2027-01-01", "2027-03-01"],
    // By week: the weekdays stay.
    ["ytd", "2026-11-17T14:30:00Z", "2025-01-02", "2025-11-18T14:30:00.000Z"],
    ["ytd", "2026-12-31T14:30:00Z", "2024-12-26", "2025-12-25T14:30:00.000Z"],
  ] as const)("%s at %s", (name, now, from, to) => {
    expect(beforeNamed(name, now)).toEqual({ from, to });
  });
});

test("weeks are compared with weeks", () => {
  const { from, to } = toReportRange("1y", "UTC", NOW);
  expect(findPeriodBefore({ from, to, timezone: "UTC" }, NOW)).toEqual({
    from: "2024-11-25",
    to: "2025-11-18T14:30:00.000Z",
  });
});

test("hours are compared with as many hours", () => {
  const { from, to } = toReportRange("24h", "UTC", NOW);
  expect(before(from ?? "", to)).toEqual({ from: "2026-11-15T15:00:00.000Z", to: "2026-11-16T14:30:00.000Z" });
  expect(before("2026-01-10T10:00:00Z", "2026-01-12T10:00:00Z")).toEqual({
    from: "2026-01-08T10:00:00.000Z",
    to: "2026-01-10T10:00:00.000Z",
  });
});

describe("the time of day is the same when the clock was changed in between", () => {
  test.each([
    // From summer to winter time, and back.
    ["Europe/Berlin", "2026-10-26T11:00:00Z", "2026-10-20", "2026-10-19T10:00:00.000Z"],
    ["Europe/Berlin", "2026-03-30T10:00:00Z", "2026-03-24", "2026-03-23T11:00:00.000Z"],
    ["America/New_York", "2026-11-02T17:00:00Z", "2026-10-27", "2026-10-26T16:00:00.000Z"],
  ])("in %s at %s", (timezone, now, from, to) => {
    expect(before(from, undefined, timezone, Date.parse(now))?.to).toBe(to);
  });
});

test.each([
  [undefined, "2026-11-18"],
  ["nonsense", undefined],
  ["2026-11-11", "nonsense"],
  ["2026-11-12", "2026-11-12"],
  ["2026-11-20", "2026-11-22"],
  ["2026-11-10T10:00:00Z", "2026-11-12"],
  ["2026-11-12T10:00:00Z", "2026-11-10T10:00:00Z"],
])("from %s to %s there is nothing to compare with", (from, to) => {
  expect(before(from ?? "", to)).toBeNull();
});

test("there is none in a time zone that doesn't exist", () => {
  expect(before("2026-11-11", "2026-11-12", "Mars/Base")).toBeNull();
});

test("the earlier period ends before the later one begins, on as many days", () => {
  const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu");
  const instant = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) });
  fc.assert(
    fc.property(zone, instant, fc.integer({ min: 1, max: 92 }), (timezone, nowMs, days) => {
      const today = dayIn(timezone, nowMs);
      const earlier = before(addDays(today, 1 - days), addDays(today, 1), timezone, nowMs);
      expect(earlier?.from).toBe(addDays(today, 1 - 2 * days));
      expect(dayIn(timezone, earlier?.to ?? "")).toBe(addDays(today, -days));
    }),
  );
});
