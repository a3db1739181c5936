import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestLink, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller, openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { appendAudit } from "./audit.service.ts";
import { appendLinkAudit, pruneLinkAudit } from "./link-audit.ts";
import { listAuditForOperator, type OperatorAuditQuery } from "./operator-audit.ts";

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 2);

let store: TestRecords;
let now = START;
beforeEach(() => {
  store = openTestRecords();
  now = START;
});
afterEach(() => store.close());

const list = (query: Partial<OperatorAuditQuery> = {}) =>
  listAuditForOperator(store.records.read, { accountNo: null, sinceMs: null, limit: 50, before: null, ...query });

const note = (action: string, accountNo: number | null = null) =>
  store.records.write((tx) => appendAudit(tx, { at: now, accountNo, actor: "operator", action, subject: "x" }));

test("every link change is listed with who, what and from where, but without values", async () => {
  const caller = { ...(await newTestCaller(store.records)), actor: "token:4fJq81ZkWx0B" };
  const links = testLinkService(store.records, () => ++now);
  const { id } = await createTestLink(links, caller, { slug: "hello", title: "A secret plan" });
  const person = { ...caller, actor: "user:usr_1", via: "dashboard" } as const;
  await links.update(person, id, { title: "Another plan", destination_url: "https://example.org/hidden" }, null);
  await links.update(person, id, { title: "Another plan" }, null);
  for (const action of ["pause", "resume", "archive", "unarchive"] as const) await links.act(caller, id, action, null);
  await links.delete(person, id, null);
  const { data } = await list();
  const by = (actor: string, from: string) => (action: string, details: Record<string, unknown>) => ({
    at: expect.any(String),
    account_id: caller.accountId,
    actor,
    actor_name: null,
    from,
    action,
    subject: id,
    subject_name: null,
    details,
  });
  const [token, user] = [by("token:4fJq81ZkWx0B", "api"), by("user:usr_1", "console")];
  expect(data).toEqual([
    user("link.deleted", { slug: "hello" }),
    token("link.unarchived", { slug: "hello" }),
    token("link.archived", { slug: "hello" }),
    token("link.resumed", { slug: "hello" }),
    token("link.paused", { slug: "hello" }),
    user("link.updated", { slug: "hello", fields: ["destination_url", "title"] }),
    token("link.created", { slug: "hello" }),
  ]);
  expect(JSON.stringify(data)).not.toMatch(/plan|hidden/);
});

test("pages have no gaps or duplicates, although they merge two logs and the clock was set back", async () => {
  const caller = await newTestCaller(store.records);
  const expected: string[] = [];
  for (let entry = 0; entry < 30; entry += 1) {
    now += entry === 17 ? -DAY_MS : 1000;
    expected.push(`link.${entry}`);
    if (entry % 3 === 0) await note(`link.${entry}`);
    else {
      const change = { at: now, action: `link.${entry}`, link: { id: "lnk_1", slug: "hello" } };
      await store.records.write((tx) => appendLinkAudit(tx, caller, change));
    }
  }
  const seen: string[] = [];
  let before: OperatorAuditQuery["before"] = null;
  do {
    const page = await list({ limit: 7, before });
    seen.push(...page.data.map(({ action }) => action));
    before = page.next_before;
  } while (before !== null);
  expect(seen).toHaveLength(30);
  expect(seen.toSorted()).toEqual(expected.toSorted());
  expect(seen[0]).toBe("link.29");
});

test("entries are filtered by account and by time", async () => {
  const [one, other] = [await newTestCaller(store.records), await newTestCaller(store.records)];
  await note("a.old", one.accountNo);
  now += DAY_MS;
  const since = now;
  await note("a.young", one.accountNo);
  await note("b.young", other.accountNo);
  await note("nobody.young");
  const actionsOf = async (query: Partial<OperatorAuditQuery>) => (await list(query)).data.map(({ action }) => action);
  expect(await actionsOf({ accountNo: one.accountNo })).toEqual(["a.young", "a.old"]);
  expect(await actionsOf({ sinceMs: since })).toEqual(["nobody.young", "b.young", "a.young"]);
  expect(await actionsOf({ accountNo: one.accountNo, sinceMs: since })).toEqual(["a.young"]);
});

test("link changes are kept for 400 days, everything else for good", async () => {
  const caller = await newTestCaller(store.records);
  const change = (action: string) => ({ at: now, action, link: { id: "lnk_1", slug: "hello" } });
  for (const action of ["link.one", "link.two", "link.three"]) {
    await store.records.write((tx) => appendLinkAudit(tx, caller, change(action)));
    await note(`kept.${action}`);
    now += 200 * DAY_MS;
  }
  const prune = () => store.records.write((tx) => pruneLinkAudit(tx, now, 1));
  expect([await prune(), await prune()]).toEqual([1, 0]);
  const actions = (await list()).data.map(({ action }) => action);
  expect(actions).toEqual(["kept.link.three", "link.three", "kept.link.two", "link.two", "kept.link.one"]);
});
