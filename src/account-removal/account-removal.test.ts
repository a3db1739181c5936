import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appendLinkAudit } from "#audit/link-audit.ts";
import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import { openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import type { Caller } from "#kernel/caller.ts";
import { systemClock } from "#kernel/clock.ts";
import { newId } from "#kernel/ids.ts";
import { newTestCaller, openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { until } from "#test/support/until.ts";
import { markAccountRemoved, startAccountRemoval } from "./account-removal.ts";

setDefaultTimeout(600_000);

const LINKS = 1000;

let store: TestRecords;
let directory: string;
let clicks: ClicksEngine;
let problems: string[];
beforeEach(() => {
  store = openTestRecords();
  directory = mkdtempSync(join(tmpdir(), "kurz-removal-"));
  clicks = openDuckDbClicks({ path: join(directory, "clicks.duckdb"), batchDirectory: directory });
  problems = [];
});
afterEach(async () => {
  await clicks.close();
  await store.close();
  rmSync(directory, { recursive: true });
});

const deps = () => ({ records: store.records, clock: systemClock });
const work = (stopMs?: number) =>
  startAccountRemoval({
    ...deps(),
    clicks,
    onProblem: (text) => problems.push(text),
    intervalMs: 5,
    ...(stopMs !== undefined && { stopMs }),
  });

const countOf = async (
  table: "accounts" | "links" | "tombstones" | "webhook_events" | "audit_log" | "link_audit",
  accountNo?: number,
) => {
  const column = table === "accounts" ? "no" : "account_no";
  const { count } = await store.records.read
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .$if(accountNo !== undefined, (query) => query.where(column as "no", "=", accountNo ?? 0))
    .executeTakeFirstOrThrow();
  return count;
};

/** An account with links, events and an audit log. */
async function newFullAccount(): Promise<Caller> {
  const caller = await newTestCaller(store.records);
  const { accountNo: account_no } = caller;
  await store.records.write(async (tx) => {
    for (let n = 0; n < LINKS; n += 1) {
      const id = newId("lnk");
      const link = {
        id,
        account_no,
        key: id,
        destination_url: "https://example.com/",
        title: null,
        tags: "[]",
        utm: "{}",
      };
      const times = { created_at: 1, updated_at: 1, expires_at: null };
      await tx
        .insertInto("links")
        .values({ ...link, ...times, state: "active", created_via: "api", version: 1, search_text: id } as never)
        .execute();
    }
    for (let n = 0; n < 300; n += 1) {
      const event = { id: newId("evt"), account_no, type: "link.created", body: "{}", created_at: 1 };
      await tx.insertInto("webhook_events").values(event).execute();
      await appendLinkAudit(tx, caller, { at: 1, action: "link.created", link: { id: "lnk_1", slug: "hello" } });
    }
  });
  return caller;
}

test("everything of a marked account is removed, and nothing of another", async () => {
  const [caller, other] = [await newFullAccount(), await newFullAccount()];
  await markAccountRemoved(deps(), caller);
  const worker = work();
  await until("the account is gone", async () => (await countOf("accounts", caller.accountNo)) === 0);
  await worker.stop();
  expect(await countOf("links", caller.accountNo)).toBe(0);
  expect(await countOf("webhook_events", caller.accountNo)).toBe(0);
  expect(await countOf("audit_log", caller.accountNo)).toBe(0);
  expect(await countOf("link_audit", caller.accountNo)).toBe(0);
  expect(await countOf("link_audit", other.accountNo)).toBe(300);
  expect(await countOf("tombstones")).toBe(LINKS);
  expect(await countOf("links", other.accountNo)).toBe(LINKS);
  expect(await countOf("webhook_events", other.accountNo)).toBe(300);
  expect(problems).toEqual([]);
});

test("an interrupted removal continues after the next start", async () => {
  const caller = await newFullAccount();
  await markAccountRemoved(deps(), caller);
  const interrupted = work(0);
  await until("it has begun", async () => (await countOf("tombstones")) > 0);
  await interrupted.stop();
  expect(await countOf("accounts", caller.accountNo)).toBe(1);
  const next = work();
  await until("the account is gone", async () => (await countOf("accounts", caller.accountNo)) === 0);
  await next.stop();
  expect(await countOf("tombstones")).toBe(LINKS);
});

test("a stop right after the deletion still finishes it", async () => {
  const worker = work(60_000);
  const caller = await newFullAccount();
  await markAccountRemoved(deps(), caller);
  await worker.stop();
  expect(await countOf("accounts", caller.accountNo)).toBe(0);
  expect(await countOf("tombstones")).toBe(LINKS);
  expect(problems).toEqual([]);
});

test("the operator can still see who deleted the account", async () => {
  const caller = await newFullAccount();
  await markAccountRemoved(deps(), { ...caller, actor: "user:usr_1" });
  const entry = await store.records.read.selectFrom("audit_log").selectAll().where("account_no", "is", null).execute();
  expect(entry).toMatchObject([{ actor: "user:usr_1", action: "account.deleted", subject: caller.accountId }]);
});

test("during a backup an account stays until its clicks may be erased", async () => {
  const [caller, later] = [await newFullAccount(), await newFullAccount()];
  const worker = work();
  const resume = await worker.pause();
  await markAccountRemoved(deps(), caller);
  await until("its links are gone", async () => (await countOf("links", caller.accountNo)) === 0);
  await markAccountRemoved(deps(), later);
  // Accounts are removed in their order, so by then the first one has been passed.
  await until("the links of the next one are gone", async () => (await countOf("links", later.accountNo)) === 0);
  expect(await countOf("accounts", caller.accountNo)).toBe(1);
  resume();
  await until("both are gone", async () => (await countOf("accounts")) === 0);
  await worker.stop();
  expect(problems).toEqual([]);
});

test("nothing is removed by a node that doesn't hold the lease, from the moment it loses it", async () => {
  const caller = await newFullAccount();
  let heldSteps = 0;
  const lease = { isHeld: () => heldSteps-- > 0, release: async () => {} };
  await markAccountRemoved(deps(), caller);
  const worker = startAccountRemoval({
    ...deps(),
    clicks,
    onProblem: (text) => problems.push(text),
    intervalMs: 5,
    lease,
  });
  try {
    await until("it has asked for the lease", () => heldSteps < -10);
    expect(await countOf("links", caller.accountNo)).toBe(LINKS);
    // Enough for the start of a run and two batches of links.
    heldSteps = 3;
    await until("the lease is lost again", () => heldSteps < -10);
    expect(await countOf("links", caller.accountNo)).toBe(LINKS - 400);
    heldSteps = Number.POSITIVE_INFINITY;
    await until("the account is gone", async () => (await countOf("accounts", caller.accountNo)) === 0);
  } finally {
    await worker.stop();
  }
});
