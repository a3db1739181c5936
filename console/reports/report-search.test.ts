import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseSearch, strictly, stringifySearch } from "#console/app/search-params.ts";
import { filtersOf, readReportSearch, toggleFilter, withoutFilters, withoutRefused } from "./report-search.ts";

test("what is for the API is kept as it was written, what is the page's own only where it is understood", () => {
  expect(readReportSearch({})).toEqual({});
  const kept = {
    interval: "2d",
    from: "2026-13-01",
    to: "",
    timezone: "Mars/Base",
    granularity: "eon",
    include_bots: "yes",
    metric: "unique_visitors",
  };
  expect<object>(
    readReportSearch({
      ...kept,
      tab: ["os", "nonsense"],
      country: ["DE", "FR", "DE"],
      device: "phone",
      referrer: "",
      utm_campaign: "x".repeat(300),
      page: "2",
    }),
  ).toEqual({
    ...kept,
    tab: ["os"],
    country: ["DE", "FR"],
    device: ["phone"],
    referrer: [""],
    utm_campaign: ["x".repeat(300)],
  });
  expect(readReportSearch({ metric: "bounces", tab: {}, country: 7 })).toEqual({});
});

test("a parameter that may stand only once is refused by the API when it stands twice", () => {
  expect(readReportSearch(parseSearch("?from=2026-01-01&from=2026-02-01"))).toEqual({ from: "2026-01-01,2026-02-01" });
});

test("whatever an address says, a report gets lists of filters and plain texts, the same again when read again", () => {
  const names = ["from", "to", "interval", "timezone", "device", "link", "tab", "metric", "include_bots", "other"];
  const read = strictly(readReportSearch);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...names), fc.string())), (pairs) => {
      const raw = parseSearch(`?${new URLSearchParams(pairs)}`);
      const search = { ...raw, ...read(raw) };
      expect(filtersOf(search).every(([, values]) => Array.isArray(values))).toBe(true);
      const texts = [search.from, search.to, search.interval, search.timezone, search.include_bots];
      expect(texts.every((text) => text === undefined || typeof text === "string")).toBe(true);
      expect(Object.entries(search).find(([name]) => name === "other")?.[1]).toBeUndefined();
      expect(readReportSearch(parseSearch(stringifySearch(search)))).toEqual(readReportSearch(raw));
    }),
  );
});

test("what the API refused is cleared, and a range as a whole", () => {
  const search = { from: "x", to: "2026-01-01", granularity: "day", device: ["phone"], os: ["Linux"] };
  expect(withoutRefused(search, ["device"])).toEqual({
    from: "x",
    to: "2026-01-01",
    granularity: "day",
    os: ["Linux"],
  });
  expect(withoutRefused(search, ["from"])).toEqual({ device: ["phone"], os: ["Linux"] });
  expect(withoutRefused(search, [])).toEqual(search);
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
