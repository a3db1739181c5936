import { expect, test } from "bun:test";
import { filtersOf, readReportSearch, toggleFilter, withoutFilters } from "./report-search.ts";

test("an address is read as far as it is understood", () => {
  expect(readReportSearch({})).toEqual({});
  expect(
    readReportSearch({
      interval: "7d",
      timezone: "Asia/Tokyo",
      granularity: "hour",
      include_bots: "true",
      metric: "unique_visitors",
      tab: ["os", "nonsense"],
      country: ["DE", "FR", "DE"],
      device: ["mobile", "watch", ""],
      source: "mail",
      referrer: "",
      utm_campaign: "2026",
      page: "2",
    }),
  ).toEqual({
    interval: "7d",
    timezone: "Asia/Tokyo",
    granularity: "hour",
    include_bots: true,
    metric: "unique_visitors",
    tab: ["os"],
    country: ["DE", "FR"],
    device: ["mobile", ""],
    referrer: [""],
    utm_campaign: ["2026"],
  });
  const wrong = { interval: "2d", timezone: "Mars/Base", granularity: "eon", include_bots: "yes", country: 7, tab: {} };
  expect(readReportSearch(wrong)).toEqual({});
});

test("a range of days must be whole and in order, and then no interval counts", () => {
  const [from, to] = ["2026-01-01", "2026-02-01"];
  expect(readReportSearch({ from, to, interval: "7d" })).toEqual({ from, to });
  expect(readReportSearch({ from, interval: "7d" })).toEqual({ interval: "7d" });
  expect(readReportSearch({ from: to, to: from })).toEqual({});
  expect(readReportSearch({ from: "2026-13-01", to })).toEqual({});
  expect(readReportSearch({ from: "yesterday", to })).toEqual({});
});

test("a filter is set by the first click on its value and taken back by the second", () => {
  const one = toggleFilter({ interval: "7d" }, "country", "DE");
  const two = toggleFilter(one, "country", "");
  expect(two).toEqual({ interval: "7d", country: ["DE", ""] });
  expect(toggleFilter(toggleFilter(two, "country", ""), "country", "DE")).toEqual({ interval: "7d" });
  expect(filtersOf(toggleFilter(two, "os", "Linux"))).toEqual([
    ["country", ["DE", ""]],
    ["os", ["Linux"]],
  ]);
  expect(withoutFilters(two)).toEqual({ interval: "7d" });
});
