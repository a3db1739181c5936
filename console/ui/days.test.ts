import { expect, test } from "bun:test";
import { addDays, dayIn, formatDays, monthBefore, readDayRange } from "./days.ts";

test("days follow the calendar over the ends of months, years and summer time", () => {
  expect(addDays("2026-02-28", 1)).toBe("2026-03-01");
  expect(addDays("2024-02-28", 1)).toBe("2024-02-29");
  expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
  expect(dayIn("Asia/Tokyo", "2026-03-28T15:00:00Z")).toBe("2026-03-29");
  expect(dayIn("Europe/Berlin", "2026-03-29T22:00:00Z")).toBe("2026-03-30");
});

test("the month before is a whole one, also over the end of a year", () => {
  expect(monthBefore("2026-03-31")).toEqual({ from: "2026-02-01", to: "2026-03-01" });
  expect(monthBefore("2026-01-01")).toEqual({ from: "2025-12-01", to: "2026-01-01" });
});

test("a range is told by its first and last day, although its end is exclusive", () => {
  expect(formatDays({ from: "2025-12-31", to: "2026-01-02" })).toMatch(/^Dec 31, 2025\s*–\s*Jan 1, 2026$/);
  expect(formatDays({ from: "2026-01-01", to: "2026-01-02" })).toBe("Jan 1, 2026");
});

test("what is no range is not taken for one", () => {
  expect(readDayRange({ from: "2026-01-01", to: "2026-01-02" })).toEqual({ from: "2026-01-01", to: "2026-01-02" });
  const wrong = [
    ["2026-01-02", "2026-01-01"],
    ["2026-01-01", "2026-01-01"],
    ["2026-02-30", "2026-03-05"],
    ["x", "y"],
  ];
  expect(wrong.map(([from, to]) => readDayRange({ from, to }))).toEqual([undefined, undefined, undefined, undefined]);
  expect(readDayRange({ from: "2026-01-01" })).toBeUndefined();
});
