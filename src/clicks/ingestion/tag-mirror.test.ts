import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Link } from "#contract/link-record.ts";
import { type ClicksEngine, ClicksUnavailable } from "#engines/clicks/clicks-engine.ts";
import { openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { pruneChanges } from "#engines/records/changes.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Loop } from "#kernel/loop.ts";
import type { LinkService } from "#links/links.service.ts";
import { clickPart } from "#test/support/click-slices.ts";
import { plainClick } from "#test/support/plain-click.ts";
import { createTestLink, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller, openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { until } from "#test/support/until.ts";
import { startErasures } from "./erasures.ts";
import { startTagMirror } from "./tag-mirror.ts";

setDefaultTimeout(600_000);

const AT_MS = Date.UTC(2026, 0, 1);

let directory: string;
let store: TestRecords;
let clicks: ClicksEngine;
let caller: Caller;
let links: LinkService;
let mirror: Loop | null;
let batches = 0;

const openClicks = () => openDuckDbClicks({ path: join(directory, "clicks.duckdb"), batchDirectory: directory });
const never = (message: string, error: unknown) => {
  throw new Error(`${message}: ${error}`);
};

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "kurz-tags-"));
  store = openTestRecords();
  clicks = openClicks();
  caller = await newTestCaller(store.records);
  links = testLinkService(store.records);
  mirror = null;
});
afterEach(async () => {
  await mirror?.stop();
  await clicks.close();
  await store.close();
  rmSync(directory, { recursive: true });
});

const start = (engine: Pick<ClicksEngine, "linkTagsPosition" | "setLinkTags" | "replaceLinkTags"> = clicks) => {
  mirror = startTagMirror({ records: store.records, clicks: engine, onProblem: never, intervalMs: 5 });
};

const newLink = (...tags: string[]): Promise<Link> => createTestLink(links, caller, { tags });
const retag = (link: Link, ...tags: string[]): Promise<Link> => links.update(caller, link.id, { tags }, null);

/** A click on each link, so that a report by tag counts links. */
async function clickEach(some: readonly Link[]): Promise<void> {
  const ids = some.map(({ id }) => id);
  const rows = await store.records.read.selectFrom("links").select("no").where("id", "in", ids).execute();
  const made = rows.map(({ no }) => ({ ...plainClick, at_ms: AT_MS, account_no: caller.accountNo, link_no: no }));
  batches += 1;
  await clicks.ingest({ parts: [clickPart(made, "a", batches)] });
}

/** Clicks by tag, as a report has them. */
async function countByTag(): Promise<Record<string, number>> {
  const { breakdowns } = await clicks.report({
    accountNo: caller.accountNo,
    linkNo: null,
    fromMs: AT_MS,
    toMs: AT_MS + 1,
    bucketStartsMs: [AT_MS],
    filters: {},
    includeBots: false,
    groupBy: ["tag"],
    limit: 100,
    breakdownVisitors: true,
    previous: null,
  });
  return Object.fromEntries(breakdowns.get("tag")?.items.map((item) => [item.key ?? "none", item.clicks]) ?? []);
}

async function untilTags(expected: Record<string, number>): Promise<void> {
  let found: Record<string, number> = {};
  const isSo = async () => {
    found = await countByTag();
    return Bun.deepEquals(found, expected);
  };
  await until("the tags are mirrored", isSo).catch(() => expect(found).toEqual(expected));
}

const untilCaughtUp = async () => {
  const newest = store.records.read.selectFrom("changes").select((eb) => eb.fn.max("seq").as("seq"));
  await until(
    "the mirror has caught up",
    async () => (await clicks.linkTagsPosition()) === (await newest.executeTakeFirstOrThrow()).seq,
  );
};

test("tags of new links, of changed links and of those from before reach the reports", async () => {
  const old = await newLink("Spring", "sale");
  const bare = await newLink();
  start();
  await clickEach([old, bare]);
  await untilTags({ spring: 1, sale: 1, none: 1 });
  const young = await newLink("sale");
  await clickEach([young]);
  await untilTags({ spring: 1, sale: 2, none: 1 });
  await retag(old, "summer");
  await retag(bare, "sale");
  await untilTags({ summer: 1, sale: 2 });
  await retag(old);
  await untilTags({ sale: 2, none: 1 });
});

test("a log that was pruned meanwhile costs no tag", async () => {
  start();
  const [first, second] = [await newLink("a"), await newLink("b")];
  await clickEach([first, second]);
  await untilTags({ a: 1, b: 1 });
  await mirror?.stop();
  await retag(first, "c");
  await retag(second);
  for (let count = 0; count < 5; count += 1) await newLink();
  await store.records.write((tx) => pruneChanges(tx, 100, 2));
  start();
  await untilTags({ c: 1, none: 1 });
  await untilCaughtUp();
});

test("records that were restored from an older backup win over newer tags", async () => {
  const link = await newLink("today");
  await clickEach([link]);
  await clicks.setLinkTags([], 1000);
  start();
  await untilTags({ today: 1 });
  await untilCaughtUp();
});

test("many links are taken over in parts, each with all of its tags", async () => {
  const some = await Promise.all(Array.from({ length: 450 }, () => newLink("x", "y", "z", "u", "v")));
  await clickEach(some);
  start();
  await untilTags({ x: 450, y: 450, z: 450, u: 450, v: 450 });
});

test("more changes than fit in one turn are followed to the end", async () => {
  await newLink("first");
  start();
  await untilCaughtUp();
  await mirror?.stop();
  const some = await Promise.all(Array.from({ length: 1200 }, (_, at) => newLink(at % 2 === 0 ? "even" : "odd")));
  await clickEach(some);
  start();
  await untilTags({ even: 600, odd: 600 });
});

test("the mirror goes on where the engine is, also after a failure in between and in a process of its own", async () => {
  let failures = 0;
  const problems: string[] = [];
  const flaky: ClicksEngine = {
    ...clicks,
    async setLinkTags(changes, position) {
      failures += 1;
      // Before the commit, after it, or not at all.
      if (failures % 3 === 1) throw new ClicksUnavailable("away");
      await clicks.setLinkTags(changes, position);
      if (failures % 3 === 2) throw new ClicksUnavailable("too late");
    },
  };
  const link = await newLink("a");
  await clickEach([link]);
  mirror = startTagMirror({
    records: store.records,
    clicks: flaky,
    onProblem: (message) => void problems.push(message),
    intervalMs: 5,
  });
  await untilTags({ a: 1 });
  for (const tag of ["b", "c", "d", "e"]) {
    await retag(link, tag);
    await untilTags({ [tag]: 1 });
  }
  expect(problems.length).toBeGreaterThan(1);
  await mirror.stop();
  await retag(link, "f");
  await clicks.close();
  clicks = openClicks();
  start();
  await untilTags({ f: 1 });
});

test("a link in the trash keeps its tags, also where all are read again; erased, it leaves none behind", async () => {
  const [kept, deleted] = [await newLink("a"), await newLink("a", "b")];
  await clickEach([kept, deleted]);
  start();
  await untilTags({ a: 2, b: 1 });
  const erasures = startErasures({ records: store.records, clicks, onProblem: never });
  await links.delete(caller, deleted.id, null);
  await untilCaughtUp();
  await mirror?.stop();
  // The log no longer reaches back to where the mirror was.
  for (let count = 0; count < 5; count += 1) await newLink();
  await store.records.write((tx) => pruneChanges(tx, 100, 2));
  start();
  await untilCaughtUp();
  await untilTags({ a: 2, b: 1 });
  await links.restore(caller, deleted.id, null);
  await retag(deleted, "b", "c");
  await untilTags({ a: 1, b: 1, c: 1 });
  await links.delete(caller, deleted.id, null, { permanent: true });
  await untilTags({ a: 1 });
  await erasures.stop();
  await untilCaughtUp();
});

test("tags that a link got right before it was deleted reach the reports", async () => {
  const [tagged, bare] = [await newLink("old"), await newLink("gone")];
  await clickEach([tagged, bare]);
  start();
  await untilTags({ old: 1, gone: 1 });
  await mirror?.stop();
  for (const [link, tags] of [
    [tagged, ["New"]],
    [bare, []],
  ] as const) {
    await retag(link, ...tags);
    await links.delete(caller, link.id, null);
  }
  start();
  await untilTags({ new: 1, none: 1 });
});

test("without any link the engine is left alone", async () => {
  const asked: string[] = [];
  start({
    ...clicks,
    linkTagsPosition: async () => {
      asked.push("position");
      return clicks.linkTagsPosition();
    },
  });
  await mirror?.stop();
  expect(asked).toEqual([]);
});
