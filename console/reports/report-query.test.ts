import { expect, test } from "bun:test";
import { toReportQuery } from "./report-query.ts";

const timezone = "UTC";

test("the API is asked for what the address says, also where that is half a range or nonsense", () => {
  expect(toReportQuery({ timezone })).toEqual({ interval: "30d", timezone });
  for (const texts of [
    { from: "2025-01-01" },
    { to: "2025-01-01" },
    { from: "2026-11-10T10:00:00Z", to: "2026-11-12T10:00:00Z" },
    { from: "x", to: "", include_bots: "perhaps", granularity: "eon" },
    { interval: "7d", from: "2025-01-01" },
  ]) {
    expect<object>(toReportQuery({ ...texts, timezone })).toEqual({ ...texts, timezone });
  }
  expect<object>(toReportQuery({ timezone, device: ["phone"] })).toEqual({
    interval: "30d",
    timezone,
    device: ["phone"],
  });
});
