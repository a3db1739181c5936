import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeClick, openClickShapes } from "#clicks/click-shapes.ts";
import { openJournalWriter } from "#clicks/journal/journal-writer.ts";
import { type Records, RecordsUnavailable } from "#engines/records/records.ts";
import { newTestCaller, openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { until } from "#test/support/until.ts";
import { counterConsumer } from "./counter-consumer.ts";
import { allNumbers, batchSlice, clicksOf, insertLinks, SEGMENT, timesOf } from "./fixtures/count-batches.ts";
import { startIngestion } from "./ingestion.ts";

// Processes are started and killed, and a segment counts as left only after two seconds.
setDefaultTimeout(600_000);

let store: TestRecords;
let accountNo: number;

beforeEach(async () => {
  store = openTestRecords();
  ({ accountNo } = await newTestCaller(store.records));
  await insertLinks(store.records, accountNo);
});
afterEach(() => store.close());

const readCounts = () =>
  store.records.read
    .selectFrom("link_counts")
    .select(["link_no", "click_count", "last_clicked_at"])
    .orderBy("link_no")
    .execute();

const expectedCounts = (batches: number, numbers: readonly number[] = allNumbers) =>
  numbers.map((no) => ({
    link_no: no,
    click_count: timesOf(no).length * batches,
    last_clicked_at: timesOf(no)[0] ?? 0,
  }));

const countingChild = (moment: "between" | "within", runsLeft: number): string[] => [
  process.execPath,
  join(import.meta.dir, "fixtures/counting-child.ts"),
  store.path,
  `${accountNo}`,
  moment,
  `${runsLeft}`,
];

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
  await consumer.consume([batchSlice(accountNo, 1)]);
  expect(await readCounts()).toEqual(expectedCounts(1));
  expect([await consumer.positionOf(SEGMENT), await countRuns()]).toEqual([1, 0]);
});

test.each([1, 2, 3, 4])("what breaks off at transaction %d is finished once by the next process", async (first) => {
  await expect(counterConsumer(failingFrom(first)).consume([batchSlice(accountNo, 1)])).rejects.toThrow("full");
  const next = counterConsumer(store.records);
  await next.settle?.();
  if ((await next.positionOf(SEGMENT)) === 0) await next.consume([batchSlice(accountNo, 1)]);
  expect(await readCounts()).toEqual(expectedCounts(1));
  expect(await countRuns()).toBe(0);
});

test("every batch is counted once, whenever a process is killed between its runs or within one", async () => {
  for (const moment of ["between", "within"] as const) {
    for (const runsLeft of [1, 2, 1, 2, 2]) {
      const child = Bun.spawn(countingChild(moment, runsLeft), { stdout: "pipe", stderr: "inherit" });
      expect(new TextDecoder().decode((await child.stdout.getReader().read()).value)).toBe("stopped\n");
      child.kill("SIGKILL");
      await child.exited;
      expect(await countRuns()).toBe(moment === "between" ? runsLeft : runsLeft + 1);
    }
  }
  const consumer = counterConsumer(store.records);
  await consumer.settle?.();
  expect(await readCounts()).toEqual(expectedCounts(await consumer.positionOf(SEGMENT)));
  expect(await countRuns()).toBe(0);
});

test("a link that is deleted before its run is left out of it", async () => {
  await expect(counterConsumer(failingFrom(2)).consume([batchSlice(accountNo, 1)])).rejects.toThrow("full");
  await store.records.write((tx) => tx.deleteFrom("links").where("no", "=", 3000).execute());
  await counterConsumer(store.records).settle?.();
  const left = allNumbers.filter((no) => no !== 3000);
  expect(await readCounts()).toEqual(expectedCounts(1, left));
});

test("a failure between two runs is made up for without another click", async () => {
  const directory = mkdtempSync(join(tmpdir(), "kurz-counts-"));
  const onLoss = (): void => expect.unreachable();
  const place = { directory, node: "local", writer: 0, epoch: 1 };
  const writer = openJournalWriter({ ...place, durability: "os", bytesMax: 1 << 30, onLoss });
  const shapes = openClickShapes();
  const encoded = clicksOf(accountNo, allNumbers).map((click) => encodeClick(click, shapes));
  await Promise.all(encoded.map(({ line, uses }) => writer.append(line, uses)));
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
  await until("the journal is empty", () => readdirSync(directory).every((name) => !name.endsWith(".log")));
  await ingestion.stop();
  rmSync(directory, { recursive: true });
  expect(failures).toBe(1);
  expect(await readCounts()).toEqual(expectedCounts(1));
  expect(await countRuns()).toBe(0);
});
