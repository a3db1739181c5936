import { expect, test } from "bun:test";
import { toReportQuery } from "./report-query.ts";

const timezone = "UTC";
const NOW = Date.parse("2026-11-17T14:30:00Z");
const lastDays = { from: "2026-10-19", to: "2026-11-18" };

test("a range by name is whole days, which the console works out", () => {
  expect(toReportQuery({ timezone }, NOW)).toEqual({ ...lastDays, timezone });
  expect(toReportQuery({ timezone, interval: "today" }, NOW)).toEqual({
    from: "2026-11-17",
    to: "2026-11-18",
    timezone,
  });
  expect(toReportQuery({ timezone, interval: "all" }, NOW)).toEqual({ interval: "all", timezone });
});

test("the API is asked for what the address says, also where that is half a range or nonsense", () => {
  for (const texts of [
    { from: "2025-01-01" },
    { to: "2025-01-01" },
    { from: "2026-11-10T10:00:00Z", to: "2026-11-12T10:00:00Z" },
    { from: "x", to: "", include_bots: "perhaps", granularity: "eon" },
    { interval: "7d", from: "2025-01-01" },
    { interval: "eon" },
  ]) {
    expect<object>(toReportQuery({ ...texts, timezone })).toEqual({ ...texts, timezone });
  }
  expect<object>(toReportQuery({ timezone, device: ["phone"] }, NOW)).toEqual({
    ...lastDays,
    timezone,
    device: ["phone"],
  });
});
