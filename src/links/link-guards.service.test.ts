import { afterAll, beforeAll, expect, test } from "bun:test";
import { localFailureLimits } from "#engines/coordination/local-failure-limits.ts";
import { Replayed } from "#http/route.ts";
import type { Caller } from "#kernel/caller.ts";
import { openOutbox } from "#outbox/outbox.service.ts";
import { createTestLink, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller, openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { linkGuards } from "./link-guards.service.ts";
import { CHECKS_AT_ONCE, CHECKS_WAITING_MAX } from "./link-password.ts";
import type { LinkService } from "./links.service.ts";

let store: TestRecords;
let links: LinkService;
let caller: Caller;
let now = 0;

beforeAll(async () => {
  store = openTestRecords();
  links = testLinkService(store.records);
  caller = await newTestCaller(store.records);
});
afterAll(() => store.close());

const newGuards = () =>
  linkGuards({
    records: store.records,
    failures: localFailureLimits(() => now),
    clock: () => now,
    outbox: openOutbox(),
    origin: { scheme: "https:", domain: "s.example" },
  });

const noOf = async (id: string): Promise<number> =>
  (await store.records.read.selectFrom("links").select("no").where("id", "=", id).executeTakeFirstOrThrow()).no;

const hashOf = async (id: string): Promise<string | null> => {
  const query = store.records.read.selectFrom("links").select("password_hash").where("id", "=", id);
  return (await query.executeTakeFirstOrThrow()).password_hash;
};

/** As a hundred guesses would take half a minute otherwise. */
async function makeCheap(id: string, password: string): Promise<void> {
  const hash = await Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
  await store.records.write((tx) =>
    tx.updateTable("links").set({ password_hash: hash }).where("id", "=", id).execute(),
  );
}

const visitor = { password: null, network: "192.0.2.1", usesClick: true };
const times = (results: readonly { readonly result: string }[], result: string): number =>
  results.filter((each) => each.result === result).length;

test("of many visitors at once, exactly as many get through as a limit allows", async () => {
  const { id } = await createTestLink(links, caller, { max_clicks: 10 });
  const question = { ...visitor, linkNo: await noOf(id) };
  const guards = newGuards();
  const results = await Promise.all(Array.from({ length: 200 }, () => guards.open(question)));
  expect([times(results, "open"), times(results, "exhausted")]).toEqual([10, 190]);
  expect(await links.get(caller, id)).toMatchObject({ max_clicks: 10, exhausted: true, version: 1 });
});

test("raising the limit opens a link again for the difference, and lowering it keeps what was used", async () => {
  const { id } = await createTestLink(links, caller, { max_clicks: 2 });
  const question = { ...visitor, linkNo: await noOf(id) };
  const guards = newGuards();
  const open = async () => (await guards.open(question)).result;
  expect([await open(), await open(), await open()]).toEqual(["open", "open", "exhausted"]);
  expect(await links.update(caller, id, { max_clicks: 3 }, null)).toMatchObject({ exhausted: false });
  expect([await open(), await open()]).toEqual(["open", "exhausted"]);
  expect(await links.update(caller, id, { max_clicks: 1 }, null)).toMatchObject({ exhausted: true });
  expect(await links.update(caller, id, { max_clicks: null }, null)).toMatchObject({ exhausted: false });
  expect(await open()).toBe("open");
});

test("a password is hashed, never returned, and replaced or removed by a patch", async () => {
  const { id, ...created } = await createTestLink(links, caller, { password: "tulip" });
  expect(created).toMatchObject({ password_protected: true, version: 1 });
  expect(JSON.stringify(created)).not.toContain("tulip");
  expect(await hashOf(id)).toStartWith("$argon2id$");
  const question = { ...visitor, linkNo: await noOf(id) };
  const guards = newGuards();
  const enter = async (password: string | null) => (await guards.open({ ...question, password })).result;
  expect([await enter(null), await enter("Tulip"), await enter("tulip")]).toEqual(["wrong", "wrong", "open"]);
  expect(await links.update(caller, id, { password: "rose" }, null)).toMatchObject({ version: 2 });
  expect([await enter("tulip"), await enter("rose")]).toEqual(["wrong", "open"]);
  expect(await links.update(caller, id, { title: "Flowers" }, null)).toMatchObject({ password_protected: true });
  expect(await enter("rose")).toBe("open");
  const cleared = await links.update(caller, id, { password: null }, null);
  expect(cleared).toMatchObject({ password_protected: false, version: 4 });
  expect(await links.update(caller, id, { password: null }, null)).toMatchObject({ version: 4 });
  expect(await enter(null)).toBe("open");
});

test("with both, only the right password uses a click", async () => {
  const { id } = await createTestLink(links, caller, { password: "tulip", max_clicks: 1 });
  const guards = newGuards();
  const enter = async (password: string) =>
    (await guards.open({ ...visitor, linkNo: await noOf(id), password })).result;
  const results = [await enter("wrong"), await enter("wrong"), await enter("tulip"), await enter("tulip")];
  expect(results).toEqual(["wrong", "wrong", "open", "exhausted"]);
});

test("whoever uses no click up is told the same, and leaves the click to others", async () => {
  const { id } = await createTestLink(links, caller, { password: "tulip", max_clicks: 1 });
  const guards = newGuards();
  const looking = { ...visitor, linkNo: await noOf(id), usesClick: false };
  const ask = async (password: string | null, usesClick = false) =>
    (await guards.open({ ...looking, password, usesClick })).result;
  expect([await ask(null), await ask("rose"), await ask("tulip")]).toEqual(["wrong", "wrong", "open"]);
  expect([await ask("tulip", true), await ask(null), await ask("tulip")]).toEqual(["open", "exhausted", "exhausted"]);
});

test("ten wrong passwords in ten minutes are enough for one network", async () => {
  const { id } = await createTestLink(links, caller, { password: "tulip" });
  const linkNo = await noOf(id);
  const guards = newGuards();
  const enter = (password: string, network = "192.0.2.1") => guards.open({ ...visitor, linkNo, password, network });
  for (let tries = 0; tries < 10; tries += 1) expect(await enter("wrong")).toEqual({ result: "wrong" });
  now += 60_000;
  expect(await enter("tulip")).toEqual({ result: "limited", retryMs: 540_000 });
  expect(await enter("tulip", "192.0.2.2")).toEqual({ result: "open" });
  now += 540_001;
  expect(await enter("tulip")).toEqual({ result: "open" });
});

test("of passwords that a network enters at once only wrong ones count, and no more of them are tried", async () => {
  const { id } = await createTestLink(links, caller, { password: "tulip" });
  await makeCheap(id, "tulip");
  const linkNo = await noOf(id);
  const guards = newGuards();
  const enterAtOnce = (password: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => guards.open({ ...visitor, linkNo, password })));
  for (let tries = 0; tries < 9; tries += 1) await enterAtOnce("wrong", 1);
  expect(times(await enterAtOnce("tulip", 40), "open")).toBe(40);
  const guesses = await enterAtOnce("wrong", 40);
  expect([times(guesses, "wrong"), times(guesses, "limited")]).toEqual([1, 39]);
  expect(times(await enterAtOnce("tulip", 2), "limited")).toBe(2);
});

test("a hundred wrong passwords in a minute are enough for one link, from wherever they come", async () => {
  const [guessed, other] = [
    await createTestLink(links, caller, { password: "tulip" }),
    await createTestLink(links, caller, { password: "tulip" }),
  ];
  await makeCheap(guessed.id, "tulip");
  const [linkNo, otherNo] = [await noOf(guessed.id), await noOf(other.id)];
  const guards = newGuards();
  const enter = (no: number, password: string, network: string) =>
    guards.open({ ...visitor, linkNo: no, password, network });
  for (let tries = 0; tries < 100; tries += 10) {
    const networks = Array.from({ length: 10 }, (_, each) => `192.0.2.${tries + each}`);
    const results = await Promise.all(networks.map((network) => enter(linkNo, "wrong", network)));
    expect(times(results, "wrong")).toBe(10);
  }
  expect(await enter(linkNo, "tulip", "198.51.100.1")).toMatchObject({ result: "limited" });
  expect(await enter(otherNo, "tulip", "198.51.100.1")).toEqual({ result: "open" });
  now += 60_001;
  expect(await enter(linkNo, "tulip", "198.51.100.1")).toEqual({ result: "open" });
});

test("more passwords than can be checked are refused at once, and count as no wrong ones", async () => {
  const { id } = await createTestLink(links, caller, { password: "tulip" });
  const linkNo = await noOf(id);
  const guards = newGuards();
  const room = CHECKS_AT_ONCE + CHECKS_WAITING_MAX;
  const guesses = Array.from({ length: 90 }, (_, each) => ({
    ...visitor,
    linkNo,
    password: "wrong",
    network: `192.0.2.${each}`,
  }));
  const results = await Promise.all(guesses.map((guess) => guards.open(guess)));
  // On a slow machine some of those that wait are refused, too.
  expect(times(results, "busy")).toBeGreaterThanOrEqual(90 - room);
  expect(times(results, "wrong") + times(results, "busy")).toBe(90);
  expect(await guards.open({ ...visitor, linkNo, password: "tulip" })).toEqual({ result: "open" });
});

test("a deleted link opens for nobody", async () => {
  const { id } = await createTestLink(links, caller, { max_clicks: 1 });
  const linkNo = await noOf(id);
  await links.delete(caller, id, null);
  expect(await newGuards().open({ ...visitor, linkNo })).toEqual({ result: "deleted" });
});

test("what is kept to recognise a repeated creation can't be used to find its password", async () => {
  const key = { operation: "links.create", key: "k", fingerprint: "0".repeat(64) };
  const body = { destination_url: "https://example.com/", password: "tulip" };
  await links.create(caller, body, key);
  const kept = await store.records.read.selectFrom("idempotency_keys").selectAll().where("key", "=", "k").execute();
  expect(JSON.stringify(kept)).not.toContain("tulip");
  expect(kept[0]?.fingerprint).not.toBe(key.fingerprint);
  expect(await links.create(caller, body, key)).toBeInstanceOf(Replayed);
});

test("the audit log has the name of the field, and not the password", async () => {
  const { id } = await createTestLink(links, caller, { password: "tulip-1" });
  await links.update(caller, id, { password: "tulip-2" }, null);
  const audit = await store.records.read.selectFrom("link_audit").selectAll().where("link_id", "=", id).execute();
  expect(audit.map(({ fields }) => fields)).toEqual(["", "password"]);
  expect(JSON.stringify(audit)).not.toContain("tulip-");
});
