import { expect, test } from "bun:test";
import { findProgress } from "./progress.ts";

const days = ["2026-11-15", "2026-11-16", "2026-11-17"].map((day) => ({ start: `${day}T00:00:00.000Z` }));
const at = (instant: string): number => Date.parse(instant);

test("a period that includes today ends with a bucket that is open", () => {
  const period = { to: "2026-11-18T00:00:00.000Z" };
  expect(findProgress(days, period, at("2026-11-17T14:30:00Z"))).toEqual({ last: 2, isOpen: true });
  expect(findProgress(days, period, at("2026-11-18T00:00:00Z"))).toEqual({ last: 2, isOpen: false });
});

test("buckets that haven't begun are left out", () => {
  const period = { to: "2026-11-18T00:00:00.000Z" };
  expect(findProgress(days, period, at("2026-11-15T14:30:00Z"))).toEqual({ last: 0, isOpen: true });
  expect(findProgress(days, period, at("2026-11-14T14:30:00Z"))).toEqual({ last: -1, isOpen: false });
});

test("a period that ended within a bucket leaves it open", () => {
  const now = at("2027-01-01T00:00:00Z");
  expect(findProgress(days, { to: "2026-11-17T12:00:00.000Z" }, now)).toEqual({ last: 2, isOpen: true });
  // One of them may be an hour shorter.
  expect(findProgress(days, { to: "2026-11-17T23:00:00.000Z" }, now)).toEqual({ last: 2, isOpen: false });
  expect(findProgress([], { to: "2026-11-17T12:00:00.000Z" }, now)).toEqual({ last: -1, isOpen: false });
});
