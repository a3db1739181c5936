import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readExposition } from "#test/support/exposition.ts";
import { formatFigures } from "./exposition.ts";
import { families } from "./families.ts";
import { type Figures, series, seriesBy } from "./figures.ts";
import { Histogram } from "./histogram.ts";
import { Ledger } from "./ledger.ts";

const read = (figures: Figures): Record<string, number> => Object.fromEntries(readExposition(formatFigures(figures)));

describe("the text format", () => {
  test("groups the series of a family, whatever their order", () => {
    const text = formatFigures({
      [series("kurz_clicks_dropped_total", { reason: "disk_full" })]: 2,
      [series("kurz_journal_bytes")]: 10,
      [series("kurz_clicks_dropped_total", { reason: "closed" })]: 0,
    });
    expect(text).toBe(
      [
        "# HELP kurz_clicks_dropped_total Lost clicks, by reason. Should stay 0.",
        "# TYPE kurz_clicks_dropped_total counter",
        'kurz_clicks_dropped_total{reason="disk_full"} 2',
        'kurz_clicks_dropped_total{reason="closed"} 0',
        "# HELP kurz_journal_bytes Size of the journal.",
        "# TYPE kurz_journal_bytes gauge",
        "kurz_journal_bytes 10",
        "",
      ].join("\n"),
    );
  });

  test("supports any label value and any number", () => {
    fc.assert(
      fc.property(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }), (label, value) => {
        expect(Object.values(read({ [series("kurz_data_bytes", { file: label })]: value }))).toEqual([value]);
      }),
    );
  });

  test("rejects unknown metrics", () => {
    expect(() => formatFigures({ kurz_secrets_total: 1 })).toThrow("unknown metric kurz_secrets_total");
  });

  test("describes each family in one line, with the unit in its name", () => {
    for (const [name, { type, help }] of Object.entries(families)) {
      expect(name).toMatch(/^kurz_[a-z_]+$/);
      expect(help).toMatch(/^[^\n\\]+\.$/);
      if (type === "histogram") expect(name).toEndWith("_seconds");
    }
  });
});

test("a histogram counts each value in every bucket that includes it", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { minLength: 1 }), (values) => {
      const histogram = new Histogram([0.1, 1], "kurz_api_request_duration_seconds", { route: "me.get" });
      for (const value of values) histogram.observe(value);
      const found = read(histogram.figures());
      const bucket = (le: string) => found[`kurz_api_request_duration_seconds_bucket{route="me.get",le="${le}"}`];
      expect(bucket("0.1")).toBe(values.filter((value) => value <= 0.1).length);
      expect(bucket("1")).toBe(values.filter((value) => value <= 1).length);
      expect(bucket("+Inf")).toBe(values.length);
    }),
  );
});

test("counters never decrease, even if processes die and restart at zero", () => {
  const life = fc.record({
    process: fc.constantFrom("redirect-0", "redirect-1"),
    steps: fc.array(fc.nat(1000), { maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(life), (lives) => {
      const ledger = new Ledger();
      const key = series("kurz_clicks_journaled_total");
      let counted = 0;
      for (const { process, steps } of lives) {
        ledger.endLife(process);
        let own = 0;
        for (const step of steps) {
          own += step;
          counted += step;
          ledger.report(process, { [key]: own, [series("kurz_process_up", { process })]: 1 });
          expect(ledger.totals()[key]).toBe(counted);
        }
      }
    }),
  );
});

test("gauges of a dead process are dropped", () => {
  const ledger = new Ledger();
  ledger.report("control", seriesBy("kurz_journal_lag_bytes", "consumer", { reports: 7 }));
  expect(Object.values(ledger.totals())).toEqual([7]);
  ledger.endLife("control");
  expect(ledger.totals()).toEqual({});
});
