import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { counterConsumer } from "#clicks/ingestion/counter-consumer.ts";
import { insertLinks } from "#clicks/ingestion/fixtures/count-batches.ts";
import { type CountBatch, momentOfDay } from "#engines/clicks/click-counts.ts";
import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import { openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { type Records, RecordsUnavailable } from "#engines/records/records.ts";
import { newTestCaller, openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { countImports } from "./count-imports.ts";
import { type CountedMoment, toClickCounts } from "./counted-moment.ts";

setDefaultTimeout(600_000);

const DAY = 20_000;

let store: TestRecords;
let clicks: ClicksEngine;
let directory = "";
let accountNo: number;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "kurz-counts-"));
  store = openTestRecords();
  clicks = openDuckDbClicks({ path: join(directory, "clicks.duckdb"), batchDirectory: directory });
  ({ accountNo } = await newTestCaller(store.records));
  await insertLinks(store.records, accountNo);
});
afterEach(async () => {
  await clicks.close();
  store.close();
  rmSync(directory, { recursive: true });
});

const moment = (linkNo: number, day: number, bot = false): CountedMoment => ({
  ...{ linkNo, atMs: momentOfDay(day), hasHour: false, bot, domain: "", clicks: 10 },
  cuts: [
    { dimensions: ["country"], counts: [{ values: { country: "DE" }, clicks: 7 }] },
    { dimensions: ["referrer"], counts: [{ values: { referrer: "t.example" }, clicks: 4 }] },
  ],
});

const batchOf = (no: number): CountBatch => ({
  ...{ accountNo, importId: "bitly-1", no, visitors: [] },
  counts: [moment(1, DAY), moment(1, DAY + no), moment(2, DAY), moment(2, DAY + 9, true)].flatMap(toClickCounts),
});

const readLinks = async () => {
  const rows = await store.records.read
    .selectFrom("link_counts")
    .select(["link_no", "click_count", "last_clicked_at"])
    .where("click_count", ">", 0)
    .orderBy("link_no")
    .execute();
  return rows.map((row) => [row.link_no, row.click_count, row.last_clicked_at]);
};

test("counts are added to links once, without bots, however often a batch is stored", async () => {
  const imports = countImports({ records: store.records, clicks });
  expect(await imports.lastBatch(accountNo, "bitly-1")).toBe(0);
  for (const no of [1, 1, 2, 1, 2]) await imports.store(batchOf(no));
  expect(await readLinks()).toEqual([
    [1, 40, momentOfDay(DAY + 2)],
    [2, 20, momentOfDay(DAY)],
  ]);
  expect((await clicks.stats()).importedClicks).toBe(80);
  expect(await imports.lastBatch(accountNo, "bitly-1")).toBe(2);
});

test("a batch that only reports have is stored again, and counts once in both", async () => {
  const full: Records = { ...store.records, write: () => Promise.reject(new RecordsUnavailable("full")) };
  await expect(countImports({ records: full, clicks }).store(batchOf(1))).rejects.toThrow("full");
  const imports = countImports({ records: store.records, clicks });
  expect(await imports.lastBatch(accountNo, "bitly-1")).toBe(0);
  await imports.store(batchOf(1));
  expect(await imports.lastBatch(accountNo, "bitly-1")).toBe(1);
  expect((await readLinks()).map(([, count]) => count)).toEqual([20, 10]);
  expect((await clicks.stats()).importedClicks).toBe(40);
});

test("how far an import has come is still known when the journal's segments are forgotten", async () => {
  const imports = countImports({ records: store.records, clicks });
  await imports.store(batchOf(1));
  await counterConsumer(store.records).forgetAllBut(["node-0-1-0"]);
  await clicks.forgetCheckpointsBut([]);
  await imports.store(batchOf(1));
  expect((await readLinks()).map(([, count]) => count)).toEqual([20, 10]);
});

test("a source's larger cut is the whole, and the rest of each is unknown", () => {
  const counts = toClickCounts({ ...moment(1, DAY), clicks: 5 });
  expect(counts.map(({ country, referrer, clicks: of, cut }) => [country, referrer, of, cut.known])).toEqual([
    ["DE", "", 7, 1],
    ["", "t.example", 4, 128],
    ["", "", 3, 128],
  ]);
  const twice = [moment(1, DAY).cuts, moment(1, DAY).cuts].flat();
  expect(() => toClickCounts({ ...moment(1, DAY), cuts: twice })).toThrow("two cuts");
});
