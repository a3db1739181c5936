import { expect, test } from "bun:test";
import fc from "fast-check";
import { chosenRange, describeRange } from "./range-words.ts";

test.each([
  [{}, "Last 30 days"],
  [{ interval: "7d" }, "Last 7 days"],
  [{ interval: "today" }, "Today"],
  [{ interval: "foo" }, "Custom range"],
  [{ from: "2026-01-01", to: "2026-01-02" }, "Jan 1, 2026"],
  [{ from: "2025-01-01" }, "Since Jan 1, 2025"],
  [{ from: "2026-11-10T10:00:00Z" }, "Since Nov 10, 2026, 11:00 AM"],
  [{ from: "2026-11-10T10:00:00Z", to: "2026-11-12T10:00:00+02:00" }, "Nov 10, 2026, 11:00 AM – Nov 12, 2026, 9:00 AM"],
  [{ from: "2026-11-10T10:00:00Z", to: "2026-11-12" }, "Nov 10, 2026, 11:00 AM – Nov 11, 2026"],
  [{ to: "2026-01-01" }, "Custom range"],
  [{ from: "x", to: "y" }, "Custom range"],
  [{ from: "2026-13-01", to: "2026-14-01" }, "Custom range"],
  [{ from: "2026-13-01T00:00:00Z", to: "2026-01-01" }, "Custom range"],
  [{ from: "2026-01-02", to: "2026-01-01" }, "Custom range"],
])("%j is called %s", (range, words) => {
  // Some versions of Unicode have a narrow space before AM.
  expect(describeRange(range, "Europe/Berlin").replace(/\s/g, " ")).toBe(words);
});

test("no address is beyond words", () => {
  const day = fc.date({ min: new Date("0000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
  const text = fc.oneof(
    fc.string(),
    day.map((date) => date.toISOString()),
    day.map((date) => date.toISOString().slice(0, 10)),
  );
  fc.assert(
    fc.property(fc.record({ interval: text, from: text, to: text }, { requiredKeys: [] }), (range) => {
      expect(describeRange(range, "UTC")).not.toBe("");
    }),
  );
});

test("an interval is chosen only where the address says nothing else", () => {
  expect(chosenRange({})).toBe("30d");
  expect(chosenRange({ interval: "all" })).toBe("all");
  expect(chosenRange({ interval: "7d", from: "2026-01-01" })).toBeUndefined();
  expect(chosenRange({ to: "" })).toBeUndefined();
});
