import { afterAll, beforeAll, expect, test } from "bun:test";
import type { BlockReason } from "#contract/errors.ts";
import { createTestLink, linkQuery, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller, openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { deleteAccountLinks } from "./delete-account-links.ts";
import { eraseOldTrash } from "./erase-trash.ts";
import { TRASH_MS } from "./link-record.ts";

let store: TestRecords;
let now = Date.UTC(2026, 0, 2);
let blocked: BlockReason | null = null;
const links = () => testLinkService(store.records, () => now, { blockReasonOf: () => blocked });

beforeAll(() => {
  store = openTestRecords();
});
afterAll(() => store.close());

const countOf = async (table: "deleted_links" | "tombstones" | "click_erasures" | "links" | "link_tags") =>
  (await store.records.read.selectFrom(table).selectAll().execute()).length;

test("links are erased once they have been in the trash for 30 days, oldest first, and their addresses stay", async () => {
  const caller = await newTestCaller(store.records);
  const made = [];
  for (let count = 0; count < 5; count += 1) made.push(await createTestLink(links(), caller, { tags: ["a"] }));
  for (const { id } of made) {
    now += 1000;
    await links().delete(caller, id, null);
  }
  const erase = (at: number) => store.records.write((tx) => eraseOldTrash(tx, at, 2));
  const firstAt = now - 4000 + TRASH_MS;
  expect(await erase(firstAt - 1)).toBe(0);
  expect(await erase(firstAt)).toBe(1);
  expect(await erase(firstAt + 10_000)).toBe(2);
  expect(await links().list(caller, linkQuery({ state: ["deleted"] }))).toMatchObject({
    data: [{ id: made[4]?.id }, { id: made[3]?.id }],
  });
  expect(await erase(firstAt + 10_000)).toBe(2);
  expect(await erase(firstAt + 10_000)).toBe(0);
  expect([await countOf("deleted_links"), await countOf("tombstones"), await countOf("click_erasures")]).toEqual([
    0, 5, 5,
  ]);
  expect([await countOf("links"), await countOf("link_tags")]).toEqual([0, 0]);
});

const auditOf = (subject: string) =>
  store.records.read
    .selectFrom("audit_log")
    .select(["actor", "action", "details"])
    .where("subject", "=", subject)
    .orderBy("no")
    .execute();

test("a restored link is blocked as the block list now says, and each change is on record", async () => {
  const caller = await newTestCaller(store.records);
  const { id, slug } = await createTestLink(links(), caller);
  const restore = async (reason: BlockReason | null) => {
    await links().delete(caller, id, null);
    blocked = reason;
    return links().restore(caller, id, null);
  };
  expect(await restore("malware")).toMatchObject({ state: "active", blocked: { reason: "malware" } });
  expect((await restore("malware")).blocked).toMatchObject({ reason: "malware" });
  expect((await restore(null)).blocked).toBe(null);
  expect(await auditOf(id)).toEqual([
    { actor: "blocklist", action: "link.blocked", details: JSON.stringify({ slug, reason: "malware" }) },
    { actor: "blocklist", action: "link.unblocked", details: JSON.stringify({ slug }) },
  ]);
});

test("a command that doesn't know the block list restores a link with the block it had", async () => {
  const caller = await newTestCaller(store.records);
  const { id } = await createTestLink(links(), caller);
  await links().delete(caller, id, null);
  blocked = "malware";
  await links().restore(caller, id, null);
  blocked = null;
  await links().delete(caller, id, null);
  const command = testLinkService(store.records, () => now, { knowsBlocklist: () => false });
  expect((await command.restore(caller, id, null)).blocked).toMatchObject({ reason: "malware" });
});

test("an account that is removed takes its trash along", async () => {
  const caller = await newTestCaller(store.records);
  for (let count = 0; count < 3; count += 1) {
    const { id } = await createTestLink(links(), caller);
    if (count > 0) await links().delete(caller, id, null);
  }
  let deleted = 0;
  for (let some = 1; some > 0; deleted += some) {
    some = await store.records.write((tx) => deleteAccountLinks(tx, caller.accountNo, 1, now));
  }
  expect(deleted).toBe(3);
  expect(await countOf("deleted_links")).toBe(0);
});
