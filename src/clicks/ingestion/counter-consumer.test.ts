import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { clickLine } from "#clicks/click-line.ts";
import { openJournalWriter } from "#clicks/journal/journal-writer.ts";
import { type Records, RecordsUnavailable } from "#engines/records/records.ts";
import { plainClick } from "#test/support/plain-click.ts";
import { newTestCaller, openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { until } from "#test/support/until.ts";
import { counterConsumer } from "./counter-consumer.ts";
import { startIngestion } from "./ingestion.ts";
import type { SegmentSlice } from "./journal-consumer.ts";

/** Three runs, the last of them not full. */
const LINKS = 4500;
const FIRST_MS = Date.UTC(2026, 0, 1);
const SEGMENT = "segment";

let store: TestRecords;
let accountNo: number;

beforeEach(async () => {
  store = openTestRecords();
  ({ accountNo } = await newTestCaller(store.records));
  await store.records.write((tx) =>
    sql`
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${LINKS})
      insert into links (no, id, account_no, slug, destination_url, tags, utm, state, created_via, version, created_at,
        updated_at, search_text)
      select n, 'lnk_' || n, ${accountNo}, 'slug' || n, 'https://example.com/', '[]', '{}', 'active', 'api', 1, 0, 0, ''
      from numbers`.execute(tx),
  );
});
afterEach(() => store.close());

/** How often each link is clicked: one to three times, a second apart, the later clicks first. */
const timesOf = (no: number): number[] =>
  Array.from({ length: (no % 3) + 1 }, (_, time) => FIRST_MS + no + time * 1000).toReversed();

const lines = (numbers: readonly number[]): string[] =>
  numbers.flatMap((no) =>
    timesOf(no).map((at_ms) => clickLine({ ...plainClick, at_ms, account_no: accountNo, link_no: no })),
  );

const allNumbers = Array.from({ length: LINKS }, (_, index) => index + 1);

/** All links in no order, in one slice. */
function slice(): SegmentSlice {
  const shuffled = allNumbers.toSorted((a, b) => ((a * 7919) % LINKS) - ((b * 7919) % LINKS));
  const text = lines(shuffled);
  return { segment: SEGMENT, payload: Buffer.from(text.join("")), lines: text.length, firstSeq: 0, toOffset: 99 };
}

const readCounts = () =>
  store.records.read
    .selectFrom("link_counts")
    .select(["link_no", "click_count", "last_clicked_at"])
    .orderBy("link_no")
    .execute();

const expectedCounts = (numbers: readonly number[] = allNumbers) =>
  numbers.map((no) => ({ link_no: no, click_count: timesOf(no).length, last_clicked_at: timesOf(no)[0] ?? 0 }));

const countRuns = async (): Promise<number> =>
  (await store.records.read.selectFrom("link_count_runs").select("no").execute()).length;

/** The engine as it is while its disk is full: for these transactions, counted from 1. */
function failing(isFull: (write: number) => boolean): Records {
  let writes = 0;
  return {
    ...store.records,
    write(work) {
      writes += 1;
      return isFull(writes) ? Promise.reject(new RecordsUnavailable("full")) : store.records.write(work);
    },
  };
}
const failingFrom = (first: number): Records => failing((write) => write >= first);

test("clicks on many links are counted in runs, each once, and nothing is left of the runs", async () => {
  const consumer = counterConsumer(store.records);
  await consumer.consume([slice()]);
  expect(await readCounts()).toEqual(expectedCounts());
  expect([await consumer.positionOf(SEGMENT), await countRuns()]).toEqual([99, 0]);
});

test.each([1, 2, 3, 4])("what breaks off at transaction %d is finished once by the next process", async (first) => {
  await expect(counterConsumer(failingFrom(first)).consume([slice()])).rejects.toThrow("full");
  const next = counterConsumer(store.records);
  await next.settle?.();
  if ((await next.positionOf(SEGMENT)) === 0) await next.consume([slice()]);
  expect(await readCounts()).toEqual(expectedCounts());
  expect(await countRuns()).toBe(0);
});

test("a link that is deleted before its run is left out of it", async () => {
  await expect(counterConsumer(failingFrom(2)).consume([slice()])).rejects.toThrow("full");
  await store.records.write((tx) => tx.deleteFrom("links").where("no", "=", 3000).execute());
  await counterConsumer(store.records).settle?.();
  expect(await readCounts()).toEqual(expectedCounts(allNumbers.filter((no) => no !== 3000)));
});

test("a failure between two runs is made up for without another click", async () => {
  const directory = mkdtempSync(join(tmpdir(), "kurz-counts-"));
  const onLoss = (): void => expect.unreachable();
  const place = { directory, node: "local", writer: 0, epoch: 1 };
  const writer = openJournalWriter({ ...place, durability: "os", bytesMax: 1 << 30, onLoss });
  await Promise.all(lines(allNumbers).map((line) => writer.append(line)));
  await writer.close();
  let failures = 0;
  const ingestion = startIngestion({
    directory,
    liveFromEpoch: Number.POSITIVE_INFINITY,
    consumers: [counterConsumer(failing((write) => write === 2))],
    onProblem: () => {
      failures += 1;
    },
    intervalMs: 5,
  });
  await until("the journal is empty", () => readdirSync(directory).every((name) => !name.endsWith(".log")), 15_000);
  await ingestion.stop();
  rmSync(directory, { recursive: true });
  expect(failures).toBe(1);
  expect(await readCounts()).toEqual(expectedCounts());
  expect(await countRuns()).toBe(0);
});
