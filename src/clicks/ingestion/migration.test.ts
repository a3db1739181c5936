import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeClick, openClickShapes } from "#clicks/click-shapes.ts";
import { openJournalWriter } from "#clicks/journal/journal-writer.ts";
import { ClicksMigrating, ForeignClicks } from "#engines/clicks/clicks-engine.ts";
import { openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { writeVersion1 } from "#test/conformance/clicks.version-1.ts";
import { ownKey } from "#test/support/own-key.ts";
import { plainClick } from "#test/support/plain-click.ts";
import { createTestLink, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller, openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { until } from "#test/support/until.ts";
import { ownClicksGuard } from "./clicks-file-check.ts";
import { counterConsumer } from "./counter-consumer.ts";
import { engineConsumer } from "./engine-consumer.ts";
import { startIngestion } from "./ingestion.ts";

const CLICKS = 20;

let directory: string;
let store: TestRecords;
let accountNo: number;
let linkNo: number;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "kurz-migrating-"));
  store = openTestRecords();
  const caller = await newTestCaller(store.records);
  await createTestLink(testLinkService(store.records), caller, { slug: "counted" });
  const row = store.records.read.selectFrom("links").select("no").where("key", "=", ownKey("counted"));
  linkNo = (await row.executeTakeFirstOrThrow()).no;
  accountNo = caller.accountNo;
  await writeVersion1(join(directory, "clicks.duckdb"), { clicks: [] });
  const writer = openJournalWriter({
    ...{ directory: journal(), node: "local", writer: 0, epoch: 1, durability: "os", bytesMax: 1 << 30 },
    onLoss: onProblem,
  });
  const shapes = openClickShapes();
  for (let at = 0; at < CLICKS; at += 1) {
    const { line, uses } = encodeClick(
      { ...plainClick, at_ms: Date.UTC(2026, 0, 1) + at, account_no: accountNo, link_no: linkNo },
      shapes,
    );
    await writer.append(line, uses);
  }
  await writer.close();
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

const journal = () => join(directory, "journal");
const onProblem = (message: unknown, error?: unknown) => {
  throw new Error(`${message}: ${error}`);
};

async function readCount(): Promise<number> {
  const row = store.records.read.selectFrom("link_counts").select("click_count").where("link_no", "=", linkNo);
  return (await row.executeTakeFirstOrThrow()).click_count;
}

/** The migration of the file waits for `release`. */
function start(problem: (message: string, error: unknown) => void = onProblem) {
  const released = Promise.withResolvers<void>();
  const clicks = openDuckDbClicks({
    path: join(directory, "clicks.duckdb"),
    batchDirectory: join(directory, "batches"),
    onMigration: () => released.promise,
  });
  const ingestion = startIngestion({
    directory: journal(),
    liveFromEpoch: Number.POSITIVE_INFINITY,
    before: ownClicksGuard(clicks, { isOnServer: false }),
    consumers: [engineConsumer(clicks), counterConsumer(store.records)],
    onProblem: problem,
    intervalMs: 5,
  });
  return { clicks, ingestion, release: released.resolve };
}

test("while the clicks file is migrated, clicks are counted on links, and stored afterwards", async () => {
  const { clicks, ingestion, release } = start();
  await until("the clicks are counted", async () => (await readCount()) === CLICKS);
  await expect(clicks.stats()).rejects.toBeInstanceOf(ClicksMigrating);
  expect(ingestion.stats().failures).toBe(0);
  release();
  await clicks.whenMigrated();
  await until("the clicks are stored", async () => (await clicks.stats()).rows === CLICKS);
  await ingestion.stop();
  await clicks.close();
});

test("a stop doesn't wait for the migration, and the next start stores the clicks", async () => {
  const problems: string[] = [];
  const first = start((message, error) => problems.push(`${message}: ${error}`));
  await until("the clicks are counted", async () => (await readCount()) === CLICKS);
  first.clicks.suspendMigration();
  first.release();
  await first.ingestion.stop();
  await first.clicks.close();
  expect([...new Set(problems)]).toEqual([
    expect.stringMatching(/^clicks wait in the journal: .*the next start continues with it\.$/),
  ]);
  const again = start();
  again.release();
  await again.clicks.whenMigrated();
  await until("the clicks are stored", async () => (await again.clicks.stats()).rows === CLICKS);
  expect(await readCount()).toBe(CLICKS);
  await again.ingestion.stop();
  await again.clicks.close();
});

test("the clicks of another installation aren't even counted before they are migrated", async () => {
  const claim = openDuckDbClicks({
    ...{ path: join(directory, "clicks.duckdb"), batchDirectory: directory, installation: "other" },
    onMigration: () => Promise.reject(new Error("later")),
  });
  await claim.whenMigrated().catch(() => {});
  await claim.close();
  const clicks = openDuckDbClicks({
    ...{ path: join(directory, "clicks.duckdb"), batchDirectory: directory, installation: "own" },
    onMigration: onProblem,
  });
  await expect(ownClicksGuard(clicks, { isOnServer: false })()).rejects.toBeInstanceOf(ForeignClicks);
  await clicks.close();
});
