import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeClick, openClickShapes } from "#clicks/click-shapes.ts";
import { readSlice } from "#clicks/journal/journal-reader.ts";
import { openJournalWriter } from "#clicks/journal/journal-writer.ts";
import type { Click } from "#engines/clicks/click-format.ts";
import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import { openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { RecordsUnavailable } from "#engines/records/records.ts";
import type { Caller } from "#kernel/caller.ts";
import { ownKey } from "#test/support/own-key.ts";
import { plainClick } from "#test/support/plain-click.ts";
import { createTestLink, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller, openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { until } from "#test/support/until.ts";
import { counterConsumer } from "./counter-consumer.ts";
import { engineConsumer } from "./engine-consumer.ts";
import { startErasures } from "./erasures.ts";
import { startIngestion } from "./ingestion.ts";
import type { JournalConsumer } from "./journal-consumer.ts";

// A segment counts as left only when nobody has written to it for two seconds.
setDefaultTimeout(600_000);

let directory: string;
let store: TestRecords;
let clicks: ClicksEngine;
let caller: Caller;
let linkNo: number;

const journal = () => join(directory, "journal");
const segments = () => readdirSync(journal()).filter((name) => name.endsWith(".log"));
const never = (message: string, error: unknown) => {
  throw new Error(`${message}: ${error}`);
};

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "kurz-ingest-"));
  store = openTestRecords();
  clicks = openDuckDbClicks({
    path: join(directory, "clicks.duckdb"),
    batchDirectory: join(directory, "batches"),
  });
  caller = await newTestCaller(store.records);
  await createTestLink(testLinkService(store.records), caller, { slug: "counted" });
  const row = store.records.read.selectFrom("links").select("no").where("key", "=", ownKey("counted"));
  linkNo = (await row.executeTakeFirstOrThrow()).no;
});
afterEach(async () => {
  await clicks.close();
  await store.close();
  rmSync(directory, { recursive: true });
});

const clickAt = (at: number): Click => ({
  ...plainClick,
  at_ms: Date.UTC(2026, 0, 1) + at,
  account_no: caller.accountNo,
  link_no: linkNo,
  bot: at % 3 === 0,
  country: "DE",
  language: "de",
  browser: "Firefox",
  os: "Linux",
});

/** What a redirect process leaves behind: so many clicks, every third of them by a bot. */
async function writeClicks(count: number, epoch: number): Promise<void> {
  const writer = openJournalWriter({
    directory: journal(),
    node: "local",
    writer: 0,
    epoch,
    durability: "os",
    bytesMax: 1 << 30,
    onLoss: never,
  });
  const shapes = openClickShapes();
  for (let at = 0; at < count; at += 1) {
    const { line, uses } = encodeClick(clickAt(at), shapes);
    const written = writer.append(line, uses);
    if (at % 50 === 0) await written;
  }
  await writer.close();
}

const human = (count: number): number => count - Math.ceil(count / 3);

async function readCount(): Promise<number> {
  const row = store.records.read.selectFrom("link_counts").select("click_count").where("link_no", "=", linkNo);
  return (await row.executeTakeFirstOrThrow()).click_count;
}

const start = (consumers: readonly JournalConsumer[], onProblem: (message: string, error: unknown) => void = never) =>
  startIngestion({
    directory: journal(),
    liveFromEpoch: Number.POSITIVE_INFINITY,
    consumers,
    onProblem,
    intervalMs: 5,
  });

const bothConsumers = () => [engineConsumer(clicks), counterConsumer(store.records)];

const untilEmpty = () => until("the journal is empty", () => segments().length === 0);

test("every click reaches both engines once, and its segment is deleted", async () => {
  await writeClicks(5000, 1);
  await writeClicks(700, 2);
  const ingestion = start(bothConsumers());
  await untilEmpty();
  await ingestion.stop();
  expect(await readCount()).toBe(human(5000) + human(700));
  expect((await clicks.stats()).rows).toBe(5700);
});

test("segments that come back after a crash before their deletion count nothing twice", async () => {
  await writeClicks(900, 1);
  const kept = join(directory, "kept");
  cpSync(journal(), kept, { recursive: true });
  // Checkpoints outlive the segments here, as they do when the process is killed between commit and deletion.
  const first = start(bothConsumers().map((consumer) => ({ ...consumer, forgetAllBut: async () => {} })));
  await untilEmpty();
  await first.stop();
  cpSync(kept, journal(), { recursive: true });
  const second = start(bothConsumers());
  await untilEmpty();
  await second.stop();
  expect(await readCount()).toBe(human(900));
  expect((await clicks.stats()).rows).toBe(900);
});

test("segments that a killed process deleted and did not forget are forgotten by the next one", async () => {
  await writeClicks(90, 1);
  const [name = ""] = segments();
  const consumers = bothConsumers();
  const killed = start(consumers.map((consumer) => ({ ...consumer, forgetAllBut: async () => {} })));
  await untilEmpty();
  await killed.stop();
  const positions = () => Promise.all(consumers.map((consumer) => consumer.positionOf(name)));
  for (const position of await positions()) expect(position).toBeGreaterThan(0);
  await writeClicks(90, 2);
  const next = start(bothConsumers());
  await untilEmpty();
  await next.stop();
  expect(await positions()).toEqual([0, 0]);
  expect(await readCount()).toBe(2 * human(90));
});

test("of many segments that were deleted nothing is kept", async () => {
  for (let epoch = 1; epoch <= 100; epoch += 1) await writeClicks(3, epoch);
  const names = segments();
  const consumers = bothConsumers();
  const ingestion = start(consumers);
  await untilEmpty();
  const positions = () => Promise.all(consumers.flatMap((consumer) => names.map((name) => consumer.positionOf(name))));
  expect((await positions()).filter((position) => position === 0)).toEqual([]);
  await writeClicks(3, 101);
  names.push(...segments());
  await untilEmpty();
  expect((await positions()).filter((position) => position > 0)).toHaveLength(2);
  await ingestion.stop();
  expect((await positions()).filter((position) => position > 0)).toEqual([]);
  expect(await readCount()).toBe(101 * human(3));
});

test("an engine that is slow does not hold the counts of links up", async () => {
  await writeClicks(30, 1);
  const [engine, counters] = bothConsumers() as [JournalConsumer, JournalConsumer];
  const isCounted = Promise.withResolvers<void>();
  const slow: JournalConsumer = {
    ...engine,
    consume: (slices) => isCounted.promise.then(() => engine.consume(slices)),
  };
  const ingestion = start([slow, counters]);
  await until("the links are counted", async () => (await readCount()) === human(30));
  await writeClicks(60, 2);
  await until("later clicks are, too", async () => (await readCount()) === human(30) + human(60));
  expect(segments()).toHaveLength(2);
  isCounted.resolve();
  await untilEmpty();
  await ingestion.stop();
  expect((await clicks.stats()).rows).toBe(90);
});

test("while counts can't be written, no texts of segments that reports have are kept in memory", async () => {
  const [engine, counters] = bothConsumers() as [JournalConsumer, JournalConsumer];
  let isAway = true;
  const positionOf: JournalConsumer["positionOf"] = async (segment) => {
    if (isAway) throw new RecordsUnavailable("away");
    return counters.positionOf(segment);
  };
  for (let epoch = 1; epoch <= 10; epoch += 1) await writeClicks(30, epoch);
  const ingestion = startIngestion({
    directory: journal(),
    liveFromEpoch: Number.POSITIVE_INFINITY,
    consumers: [engine, { ...counters, positionOf }],
    onProblem() {},
    intervalMs: 5,
  });
  await until("reports have them", async () => (await clicks.stats()).rows === 300);
  await until("none is kept", () => ingestion.stats().texts === 0);
  expect(segments()).toHaveLength(10);
  isAway = false;
  await untilEmpty();
  await ingestion.stop();
  expect(await readCount()).toBe(10 * human(30));
});

test("an engine that is slow leaves nothing in the journal of a stopped server", async () => {
  const [engine, counters] = bothConsumers() as [JournalConsumer, JournalConsumer];
  const slow: JournalConsumer = { ...engine, consume: (slices) => Bun.sleep(50).then(() => engine.consume(slices)) };
  const ingestion = start([slow, counters]);
  await writeClicks(30, 1);
  await ingestion.stop();
  expect(segments()).toEqual([]);
  expect((await clicks.stats()).rows).toBe(30);
});

test("an engine that is away holds up neither the other nor the end: nothing is deleted until it has all", async () => {
  await writeClicks(300, 1);
  const [engine, counters] = bothConsumers() as [JournalConsumer, JournalConsumer];
  let isAway = true;
  const problems: string[] = [];
  const flaky: JournalConsumer = {
    ...engine,
    consume: (slices) => (isAway ? Promise.reject(new Error("away")) : engine.consume(slices)),
  };
  const ingestion = start([flaky, counters], () => void problems.push("away"));
  await until("the counters have all", async () => (await readCount()) === human(300));
  await until("the engine was tried", () => problems.length > 0);
  expect(segments()).toHaveLength(1);
  isAway = false;
  await untilEmpty();
  await ingestion.stop();
  expect((await clicks.stats()).rows).toBe(300);
});

test("an engine that keeps failing is tried less and less often, the other one is not held up", async () => {
  await writeClicks(300, 1);
  const [engine, counters] = bothConsumers() as [JournalConsumer, JournalConsumer];
  let isAway = true;
  let failedAt = 0;
  const pauses: number[] = [];
  const flaky: JournalConsumer = {
    ...engine,
    async consume(slices) {
      if (!isAway) return engine.consume(slices);
      if (failedAt > 0) pauses.push(performance.now() - failedAt);
      failedAt = performance.now();
      throw new Error("away");
    },
  };
  const ingestion = start([flaky, counters], () => {});
  // Each pause is twice as long as the one before, up to ten intervals of 5 ms.
  const atLeast = [5, 10, 20, 40, 50, 50];
  // Timers count whole milliseconds.
  const EARLY_MS = 1;
  await until("the engine was tried", () => pauses.length >= atLeast.length);
  expect(pauses.slice(0, atLeast.length).map((ms, index) => ms >= (atLeast[index] ?? 0) - EARLY_MS)).toEqual(
    atLeast.map(() => true),
  );
  await writeClicks(30, 2);
  await until("the counters have all", async () => (await readCount()) === human(300) + human(30));
  isAway = false;
  await untilEmpty();
  await ingestion.stop();
  expect((await clicks.stats()).rows).toBe(330);
});

test("an engine that has failed before is tried once more when the server stops", async () => {
  await writeClicks(300, 1);
  const engine = engineConsumer(clicks);
  let isAway = true;
  const flaky: JournalConsumer = {
    ...engine,
    consume: (slices) => (isAway ? Promise.reject(new Error("away")) : engine.consume(slices)),
  };
  const ingestion = startIngestion({
    directory: journal(),
    liveFromEpoch: Number.POSITIVE_INFINITY,
    consumers: [flaky],
    onProblem: () => {},
    // So it isn't tried again by itself.
    intervalMs: 3_600_000,
  });
  await until("the engine was tried", () => ingestion.stats().failures > 0);
  isAway = false;
  await ingestion.stop();
  expect(segments()).toEqual([]);
  expect((await clicks.stats()).rows).toBe(300);
});

test("segments that are kept stay after both engines have them, and go when they are let go", async () => {
  await writeClicks(300, 1);
  const ingestion = start(bothConsumers());
  const release = await ingestion.keepSegments();
  await until("both engines have all", async () => {
    return (await readCount()) === human(300) && (await clicks.stats()).rows === 300;
  });
  await writeClicks(60, 2);
  await until("clicks go on being counted", async () => (await readCount()) === human(300) + human(60));
  expect(segments()).toHaveLength(2);
  release();
  await untilEmpty();
  await ingestion.stop();
  expect((await clicks.stats()).rows).toBe(360);
});

test("what is named like a segment and is none is put aside, and the clicks around it are counted", async () => {
  await writeClicks(90, 1);
  await writeClicks(60, 9);
  const nameOf = (epoch: number): string => `local-000-000000000${epoch}-00000000.log`;
  mkdirSync(join(journal(), nameOf(3)));
  writeFileSync(join(journal(), nameOf(3), "kept"), "x");
  symlinkSync(nameOf(4), join(journal(), nameOf(4)));
  Bun.spawnSync(["mkfifo", join(journal(), nameOf(5))]);
  writeFileSync(join(journal(), nameOf(6)), "no journal at all\n");
  writeFileSync(join(journal(), nameOf(7)), "");
  // One of an earlier time lies where it is to be put.
  mkdirSync(join(journal(), "quarantine", nameOf(3)), { recursive: true });
  const problems: string[] = [];
  const ingestion = start(bothConsumers(), (message: string) => void problems.push(message));
  await untilEmpty();
  await ingestion.stop();
  expect(await readCount()).toBe(human(90) + human(60));
  expect((await clicks.stats()).rows).toBe(150);
  const aside = readdirSync(join(journal(), "quarantine")).sort();
  expect(aside).toEqual([nameOf(3), expect.stringContaining(`${nameOf(3)}.`), nameOf(4), nameOf(5), nameOf(6)]);
  expect(readdirSync(join(journal(), "quarantine", aside[1] ?? ""))).toEqual(["kept"]);
  expect(problems.filter((text) => text.includes("is no journal segment and was put aside"))).toHaveLength(3);
});

test("a segment that cannot be read waits where it is, and is counted once it can be", async () => {
  await writeClicks(90, 1);
  await writeClicks(60, 2);
  const [first = ""] = segments();
  let isBroken = true;
  const problems: string[] = [];
  const ingestion = startIngestion({
    directory: journal(),
    liveFromEpoch: Number.POSITIVE_INFINITY,
    consumers: bothConsumers(),
    onProblem: (message) => void problems.push(message),
    intervalMs: 5,
    readSlice: async (segment, fromOffset, bytesMax) => {
      if (isBroken && segment.path.endsWith(first)) throw new Error("EIO: i/o error, read");
      return readSlice(segment, fromOffset, bytesMax);
    },
  });
  await until(
    "the others are counted and gone",
    async () => (await readCount()) === human(60) && segments().length === 1,
  );
  expect(segments()).toEqual([first]);
  await until("this one is reported", () => ingestion.stats().unreadableSegments === 1);
  expect(ingestion.stats().failures).toBeGreaterThan(0);
  expect(problems[0]).toContain(first);
  isBroken = false;
  await untilEmpty();
  await ingestion.stop();
  expect(await readCount()).toBe(human(90) + human(60));
  expect((await clicks.stats()).rows).toBe(150);
  expect(ingestion.stats().unreadableSegments).toBe(0);
});

test("a consumer that fails half-way goes on from where it came to", async () => {
  // More than one slice has room for.
  await writeClicks(12_000, 1);
  const counters = counterConsumer(store.records);
  let failures = 0;
  const halting: JournalConsumer = {
    ...counters,
    async consume(slices) {
      if (failures > 0 || slices.length < 2) return counters.consume(slices);
      failures += 1;
      await counters.consume(slices.slice(0, 1));
      throw new Error("half-way");
    },
  };
  const ingestion = start([halting], () => {});
  await untilEmpty();
  await ingestion.stop();
  expect(failures).toBe(1);
  expect(await readCount()).toBe(human(12_000));
});

test("clicks of a link deleted for good are erased, and those still in the journal never arrive", async () => {
  await writeClicks(100, 1);
  const ingestion = start(bothConsumers());
  await untilEmpty();
  await ingestion.stop();
  const links = testLinkService(store.records);
  const [link] = (await links.list(caller, { limit: 1, sort: "-created_at", state: ["all"], tag: [], tag_mode: "all" }))
    .data;
  await links.delete(caller, link?.id ?? "", null, { permanent: true });
  const erasures = startErasures({ records: store.records, clicks, onProblem: never });
  await until("the clicks are erased", async () => (await clicks.stats()).rows === 0);
  await erasures.stop();
  await writeClicks(100, 2);
  const late = start(bothConsumers());
  await untilEmpty();
  await late.stop();
  expect((await clicks.stats()).rows).toBe(0);
});

test("a segment that a killed process has left open is deleted once that process is known to be gone", async () => {
  const writer = openJournalWriter({
    directory: journal(),
    node: "local",
    writer: 0,
    epoch: 1,
    durability: "os",
    bytesMax: 1 << 30,
    onLoss: never,
  });
  const { line, uses } = encodeClick(clickAt(1), openClickShapes());
  await writer.append(line, uses);
  const kept = join(directory, "left-open");
  cpSync(journal(), kept, { recursive: true });
  await writer.close();
  rmSync(journal(), { recursive: true });
  cpSync(kept, journal(), { recursive: true });
  const ingestion = startIngestion({
    directory: journal(),
    liveFromEpoch: 1,
    consumers: [counterConsumer(store.records)],
    onProblem: never,
    intervalMs: 10,
  });
  await until("the click counts", async () => (await readCount()) === 1);
  expect(segments().length).toBe(1);
  ingestion.noteAlone(2);
  await untilEmpty();
  await ingestion.stop();
  expect(await readCount()).toBe(1);
});

test("a consumer that is away falls behind by what it has not read, the others do not", async () => {
  await writeClicks(10, 1);
  const engine = engineConsumer(clicks);
  const away: JournalConsumer = { ...engine, consume: () => Promise.reject(new Error("away")) };
  const ingestion = startIngestion({
    directory: journal(),
    liveFromEpoch: 1,
    consumers: [away, counterConsumer(store.records)],
    onProblem: () => {},
    intervalMs: 10,
  });
  const lagOf = (name: string) => ingestion.stats().consumers.find((one) => one.name === name)?.lag;
  await until("the links are counted", () => lagOf("link_counts")?.bytes === 0);
  await until("the engine was tried", () => ingestion.stats().failures > 0);
  expect(lagOf("link_counts")?.oldestAtMs).toBeNull();
  expect(lagOf("reports")?.bytes).toBeGreaterThan(0);
  expect(lagOf("reports")?.oldestAtMs).toBe(Date.UTC(2026, 0, 1));
  const { consumers } = ingestion.stats();
  expect(consumers.map(({ name, clicks: taken }) => [name, taken])).toEqual([
    ["reports", 0],
    ["link_counts", 10],
  ]);
  await ingestion.stop();
});
