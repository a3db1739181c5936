import { expect, test } from "bun:test";
import type { AnalyticsReport } from "#contract/analytics.ts";
import { shownReport } from "./shown-report.ts";

const item = (key: string | null, clicks: number, unique_visitors: number | null) => ({ key, clicks, unique_visitors });
const report: AnalyticsReport = {
  scope: { type: "link", link_id: "lnk_1" },
  period: { from: "", to: "", timezone: "UTC", granularity: "day" },
  totals: { clicks: 30, unique_visitors: 12, qr_scans: 0, bot_hits: 0 },
  series: [],
  breakdowns: {
    country: { items: [item("DE", 12, 5), item("FR", 9, 4), item(null, 5, 5), item("LU", 3, null)], other_clicks: 1 },
  },
};
const shown = (least: number, breakdown_visitors = true) =>
  shownReport(report, least, { breakdown_visitors }).breakdowns.country;

test("values of too few visitors, or of nobody knows how many, are among the others", () => {
  expect(shown(5)).toEqual({ items: [item("DE", 12, 5), item(null, 5, 5)], other_clicks: 13 });
  expect(shown(6)).toEqual({ items: [], other_clicks: 30 });
});

test("a minimum of one leaves everything as it is", () => {
  expect(shown(1)).toEqual(report.breakdowns.country);
});

test("visitors that nobody asked for aren't told", () => {
  expect(shown(5, false)?.items).toEqual([item("DE", 12, null), item(null, 5, null)]);
});

test("whose report it is isn't told", () => {
  expect(Object.keys(shownReport(report, 1, { breakdown_visitors: true })).sort()).toEqual([
    "breakdowns",
    "period",
    "series",
    "totals",
  ]);
});
