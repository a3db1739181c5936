import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LinkSnapshot, OtherSnapshots } from "#engines/records/link-snapshot.ts";
import type { RedirectReader } from "#engines/records/redirect-reader.ts";
import { openSqliteLinkSnapshot } from "#engines/records/sqlite/link-snapshot.ts";
import { openOtherSqliteSnapshots } from "#engines/records/sqlite/other-snapshots.ts";
import { openSqliteRedirectReader } from "#engines/records/sqlite/redirect-reader.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { ownKey } from "#test/support/own-key.ts";
import { until } from "#test/support/until.ts";
import { KnownLinks, type KnownLinksOptions } from "./known-links.ts";

let file: LinkFile;
let reader: RedirectReader;
let snapshot: LinkSnapshot;
let isAway: boolean;
/** Held back until it resolves, after it was read. */
let slowFind: Promise<void> | undefined;
/** Nothing is answered until it resolves. */
let hang: Promise<void> | undefined;
/** How often a link was asked for. */
let asked: number;
let finds: number;
/** What the last look-up had to include at least. */
let askedFor: number | undefined;
/** What is committed beyond it has no number yet. */
let numberedMax: number;

beforeEach(() => {
  file = openLinkFile();
  for (const slug of ["abc", "xyz"]) file.add({ slug });
  reader = openSqliteRedirectReader(file.path);
  snapshot = openSqliteLinkSnapshot({ path: join(file.dataDir, "snapshot", "links-0.db") });
  isAway = false;
  hang = undefined;
  asked = 0;
  slowFind = undefined;
  finds = 0;
  numberedMax = Number.POSITIVE_INFINITY;
});
afterEach(async () => {
  snapshot.close();
  await reader.close();
  file.close();
});

function openKnown(options: Partial<KnownLinksOptions> = {}): KnownLinks {
  const whileHere =
    <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (isAway) throw new Error("away");
      await hang;
      return call(...args);
    };
  const findAsOf = whileHere(async (slug: string) => {
    finds += 1;
    const answer = await reader.findAsOf(ownKey(slug));
    await slowFind;
    return { ...answer, seq: Math.min(answer.seq, numberedMax) };
  });
  const records: RedirectReader = {
    find: async (slug, notBefore) => (await records.findAsOf(slug, notBefore)).found,
    findAsOf(slug, notBefore) {
      asked += 1;
      askedFor = notBefore;
      return findAsOf(slug);
    },
    changesSince: whileHere((seq: number) => reader.changesSince(seq)),
    lastSeq: whileHere(() => reader.lastSeq()),
    hasForeignCommit: whileHere(() => reader.hasForeignCommit()),
    close: async () => {},
  };
  return new KnownLinks({ records, snapshot, awayMs: 0, ...options });
}

const oldOf = (known: KnownLinks): string[] => ["abc", "xyz", "nosuch"].filter((slug) => known.findOld(ownKey(slug)));

/** A look-up that has read the link, and isn't answered yet. */
async function lookUpSlowly(known: KnownLinks) {
  await known.find(ownKey("xyz"));
  const answer = Promise.withResolvers<void>();
  slowFind = answer.promise;
  const found = known.find(ownKey("abc"));
  await until("it was read", () => finds === 2);
  return { found, answer };
}

describe("known links", () => {
  test("are those that were looked up, before and after they are saved, and after a restart without the records", async () => {
    const known = openKnown();
    expect(known.isEmpty).toBe(true);
    expect(await known.find(ownKey("abc"))).toMatchObject({ state: "active" });
    expect(await known.find(ownKey("nosuch"))).toBeNull();
    expect(oldOf(known)).toEqual(["abc"]);
    await known.save();
    isAway = true;
    const restarted = openKnown();
    expect(oldOf(restarted)).toEqual(["abc"]);
    expect(restarted.isEmpty).toBe(false);
    expect(restarted.findOld(ownKey("abc"))).toEqual((await reader.find(ownKey("abc"))) as never);
    expect(restarted.find(ownKey("abc"))).rejects.toThrow("away");
  });

  test("are forgotten when they change: at once if told, otherwise with the next save", async () => {
    const known = openKnown();
    for (const slug of ["abc", "xyz"]) await known.find(ownKey(slug));
    await known.save();
    file.set("abc", { state: "paused" });
    known.forget({ keys: [ownKey("abc")], seq: await reader.lastSeq() });
    expect(oldOf(known)).toEqual(["xyz"]);
    file.set("xyz", { state: "paused" });
    await known.save();
    expect(oldOf(known)).toEqual([]);
    for (const slug of ["abc", "xyz"]) await known.find(ownKey(slug));
    file.setSuspended(true);
    await known.save();
    expect(oldOf(known)).toEqual([]);
  });

  test("stay if they were looked up after the change that is only saved later", async () => {
    const known = openKnown();
    await known.find(ownKey("abc"));
    file.set("abc", { state: "paused" });
    await known.find(ownKey("abc"), await reader.lastSeq());
    await known.save();
    expect(known.findOld(ownKey("abc"))).toMatchObject({ state: "paused" });
    file.set("abc", { state: "active" });
    await known.find(ownKey("abc"));
    await known.save();
    expect(known.findOld(ownKey("abc"))).toMatchObject({ state: "active" });
  });

  test("stay if they were looked up before the change was announced, their creation for example, and include it", async () => {
    const known = openKnown();
    await known.find(ownKey("xyz"));
    file.add({ slug: "new" });
    await known.find(ownKey("new"));
    isAway = true;
    known.forget({ keys: [ownKey("new")], seq: await reader.lastSeq() });
    expect(known.findOld(ownKey("new"))).toMatchObject({ no: 3 });
    // Written to the file without the log, and announced again.
    await expect(known.save()).rejects.toThrow("away");
    known.forget({ keys: [ownKey("new")], seq: await reader.lastSeq() });
    expect(known.findOld(ownKey("new"))).toMatchObject({ no: 3 });
    file.set("new", { state: "paused" });
    known.forget({ keys: [ownKey("new")], seq: await reader.lastSeq() });
    expect(known.findOld(ownKey("new"))).toBeUndefined();
  });

  test("stay if they were saved before the change was announced, and include it", async () => {
    const known = openKnown();
    file.add({ slug: "new" });
    await known.find(ownKey("new"));
    await known.save();
    isAway = true;
    known.forget({ keys: [ownKey("new")], seq: await reader.lastSeq() });
    expect([known, openKnown()].map((each) => each.findOld(ownKey("new")))).toMatchObject([{ no: 3 }, { no: 3 }]);
  });

  test("stay if only others that are announced with them have changed since", async () => {
    const known = openKnown();
    for (const slug of ["new", "newer"]) file.add({ slug });
    const created = await reader.lastSeq();
    await known.find(ownKey("new"));
    await known.save();
    await known.find(ownKey("newer"));
    file.set("abc", {});
    isAway = true;
    known.forget({
      keys: [ownKey("new"), ownKey("newer"), ownKey("abc")],
      seqs: [created - 1, created, created + 1],
      seq: created + 1,
    });
    expect(["new", "newer"].filter((slug) => known.findOld(ownKey(slug)))).toEqual(["new", "newer"]);
    known.forget({ keys: [ownKey("newer"), ownKey("abc")], seqs: [created + 2, created + 3], seq: created + 3 });
    expect(["new", "newer"].filter((slug) => known.findOld(ownKey(slug)))).toEqual(["new"]);
  });

  test("are looked up again if it is unclear whether they include the change, and unknown until then", async () => {
    const known = openKnown();
    await known.find(ownKey("xyz"));
    numberedMax = await reader.lastSeq();
    file.set("abc", { state: "paused" });
    await known.find(ownKey("abc"));
    numberedMax = Number.POSITIVE_INFINITY;
    known.forget({ keys: [ownKey("abc")], seq: await reader.lastSeq() });
    expect(known.findOld(ownKey("abc"))).toBeUndefined();
    await until("it was looked up again", () => known.findOld(ownKey("abc")) !== undefined);
    expect([known.findOld(ownKey("abc")), askedFor]).toMatchObject([{ state: "paused" }, await reader.lastSeq()]);
  });

  test("don't keep visitors waiting if thousands have to be looked up again", async () => {
    const keys = Array.from({ length: 200 }, (_, n) => ownKey(`s${n}`));
    for (const slug of keys) file.add({ slug });
    const known = openKnown();
    for (const key of keys) await known.find(key);
    const askedBefore = asked;
    known.forget({ keys, seq: (await reader.lastSeq()) + 1 });
    expect(asked - askedBefore).toBe(64);
    expect(keys.filter((slug) => known.findOld(ownKey(slug)))).toEqual([]);
  });

  test("are forgotten, whatever their number, if the log wasn't read yet or has started over", async () => {
    const before = openKnown();
    await before.find(ownKey("abc"));
    for (let n = 0; n < 5; n += 1) file.set("xyz", {});
    await before.save();
    const restarted = openKnown();
    restarted.forget({ keys: [ownKey("abc")], seq: 1 });
    expect(oldOf(restarted)).toEqual([]);

    const known = openKnown();
    await known.find(ownKey("abc"));
    // As if restored from a backup.
    snapshot.update({ links: [], changed: [], position: 1000 });
    await known.save();
    expect(oldOf(known)).toEqual([]);
  });

  test("are forgotten if they changed while nobody looked", async () => {
    const known = openKnown();
    for (const slug of ["abc", "xyz"]) await known.find(ownKey(slug));
    await known.save();
    file.set("abc", { state: "paused" });
    const restarted = openKnown();
    await restarted.find(ownKey("nosuch"));
    expect(oldOf(restarted)).toEqual(["xyz"]);
    for (let n = 0; n < 5; n += 1) file.set("xyz", {});
    file.prune(1);
    await openKnown().find(ownKey("nosuch"));
    expect(oldOf(openKnown())).toEqual([]);
  });

  test("are never older than a change that was seen, even if the look-up started before it", async () => {
    const known = openKnown();
    const { found, answer } = await lookUpSlowly(known);
    file.set("abc", { state: "paused" });
    await known.save();
    slowFind = undefined;
    answer.resolve();
    expect(await found).toMatchObject({ state: "active" });
    await until("it was looked up again", () => known.findOld(ownKey("abc")) !== undefined);
    expect(known.findOld(ownKey("abc"))).toMatchObject({ state: "paused" });
  });

  test("are never older than a change that was announced, however far a replica lags", async () => {
    const known = openKnown();
    const { found, answer } = await lookUpSlowly(known);
    file.set("abc", { state: "paused" });
    const announced = await reader.lastSeq();
    known.forget({ keys: [ownKey("abc")], seq: announced });
    answer.resolve();
    await found;
    await until("it was looked up again", () => finds === 3);
    expect(askedFor).toBe(announced);
  });

  test("aren't looked up again because others change", async () => {
    const known = openKnown();
    const { found, answer } = await lookUpSlowly(known);
    const announced = (await reader.lastSeq()) + 1;
    for (let n = 0; n < 5; n += 1) known.forget({ keys: [ownKey("other"), ownKey("another")], seq: announced });
    answer.resolve();
    await found;
    expect(oldOf(known)).toEqual(["abc", "xyz"]);
    expect(finds).toBe(2);
  });

  test("of a snapshot that can't be written are forgotten, and the records still answer", async () => {
    const lost: unknown[] = [];
    const known = openKnown({ onSnapshotLost: (error) => lost.push(error) });
    await known.find(ownKey("abc"));
    await known.save();
    snapshot.update = () => {
      throw new Error("database or disk is full");
    };
    await known.find(ownKey("xyz"));
    await known.save();
    expect(await known.find(ownKey("abc"))).toMatchObject({ state: "active" });
    expect(oldOf(known)).toEqual([]);
    expect(known.isEmpty).toBe(true);
    expect(lost.map(String)).toEqual(["Error: database or disk is full"]);
    known.forget({ keys: [ownKey("abc")], seq: 0 });
    snapshot = openSqliteLinkSnapshot({ path: join(file.dataDir, "snapshot", "links-0.db") });
    expect(snapshot.isEmpty()).toBe(true);
  });

  test("are answered at once while the records don't answer", async () => {
    const known = openKnown({ answerMsMax: 20 });
    await known.find(ownKey("abc"));
    slowFind = new Promise(() => {});
    await expect(known.find(ownKey("xyz"))).rejects.toThrow("don't answer");
    expect(finds).toBe(2);
    expect(oldOf(known)).toEqual(["abc"]);
  });

  test("are looked up even if this process was too busy to read the answer in time", async () => {
    const known = openKnown({ answerMsMax: 100 });
    await known.find(ownKey("abc"));
    const { promise, resolve } = Promise.withResolvers<void>();
    slowFind = promise;
    const found = known.find(ownKey("xyz"));
    // Without a turn of the event loop, in which the time to wait could pass.
    for (let turns = 0; turns < 100 && finds < 2; turns += 1) await null;
    expect(finds).toBe(2);
    // It comes after that time, but before this process can notice.
    setTimeout(resolve, 110);
    Bun.sleepSync(400);
    expect(await found).toMatchObject({ no: 2 });
  });

  test("and all others are still asked for after a single look-up that took too long", async () => {
    let now = 0;
    const known = openKnown({ answerMsMax: 20, awayMs: 500, now: () => now });
    await known.find(ownKey("abc"));
    slowFind = new Promise(() => {});
    await expect(known.find(ownKey("xyz"))).rejects.toThrow("don't answer");
    slowFind = undefined;
    expect(await known.find(ownKey("xyz"))).toMatchObject({ no: 2 });
    slowFind = new Promise(() => {});
    const askedBefore = asked;
    // A second one in a row means that they are away, and nobody else waits for them.
    for (let visits = 0; visits < 5; visits += 1)
      await expect(known.find(ownKey("new"))).rejects.toThrow("don't answer");
    expect(asked - askedBefore).toBe(2);
    slowFind = undefined;
    now += 500;
    expect(await known.find(ownKey("new"))).toBeNull();
  });

  test("make nobody wait a second time for records that don't answer, and are looked up once they do", async () => {
    const known = openKnown({ answerMsMax: 20 });
    await Promise.all([known.find(ownKey("abc")), known.find(ownKey("xyz"))]);
    hang = new Promise(() => {});
    for (let visits = 0; visits < 20; visits += 1)
      await expect(known.find(ownKey("abc"))).rejects.toThrow("don't answer");
    expect(asked).toBe(3);
    hang = undefined;
    await until("it is looked up again", () =>
      known.find(ownKey("abc")).then(
        () => true,
        () => false,
      ),
    );
    expect(asked).toBe(4);
  });

  test("don't wait for the first connection, unlike all others", async () => {
    const before = openKnown();
    await before.find(ownKey("abc"));
    await before.save();

    const connected = Promise.withResolvers<void>();
    hang = connected.promise;
    const known = openKnown({ answerMsMax: 20 });
    const unknown = known.find(ownKey("xyz"));
    for (let visits = 0; visits < 20; visits += 1)
      await expect(known.find(ownKey("abc"))).rejects.toThrow("don't answer");
    const late = known.find(ownKey("xyz"));
    connected.resolve();
    expect(await Promise.all([unknown, late])).toMatchObject([{ no: 2 }, { no: 2 }]);
    expect(await known.find(ownKey("abc"))).toMatchObject({ no: 1 });
  });

  test("that couldn't be saved are saved later", async () => {
    const known = openKnown();
    await known.find(ownKey("abc"));
    isAway = true;
    expect(known.save()).rejects.toThrow("away");
    isAway = false;
    await known.save();
    expect(oldOf(openKnown())).toEqual(["abc"]);
  });
});

describe("what another process of the node has looked up", () => {
  let other: KnownLinks;
  let otherSnapshot: LinkSnapshot;
  let others: OtherSnapshots;
  let known: KnownLinks;
  const pathOf = (writer: number): string => join(file.dataDir, "snapshot", `links-${writer}.db`);

  beforeEach(async () => {
    otherSnapshot = openSqliteLinkSnapshot({ path: pathOf(1) });
    other = openKnown({ snapshot: otherSnapshot });
    others = openOtherSqliteSnapshots(pathOf(0));
    known = openKnown({ others });
    await known.find(ownKey("nosuch"));
    await other.find(ownKey("abc"));
    await other.save();
  });
  afterEach(() => {
    others.close();
    otherSnapshot.close();
  });

  test("is known here, too, and after a restart of both without the records", async () => {
    isAway = true;
    expect(oldOf(known)).toEqual(["abc"]);
    expect(known.findOld(ownKey("abc"))).toEqual((await reader.find(ownKey("abc"))) as never);
    await expect(known.find(ownKey("abc"))).rejects.toThrow("away");
    expect(known.isEmpty).toBe(false);
    const restarted = openKnown({ others });
    expect(restarted.isEmpty).toBe(false);
    expect(oldOf(restarted)).toEqual(["abc"]);
  });

  test("is known although it was looked up after the log was last read, and others have changed", async () => {
    await other.find(ownKey("xyz"));
    file.set("xyz", {});
    await other.save();
    await other.find(ownKey("xyz"));
    file.set("unrelated", {});
    // It reads both changes at once, and the other one has only read the first.
    await known.save();
    isAway = true;
    await expect(other.save()).rejects.toThrow("away");
    expect(oldOf(known)).toEqual(["abc", "xyz"]);
    expect(oldOf(openKnown({ others }))).toEqual(["abc", "xyz"]);
  });

  test("isn't used once this process knows of a change, announced or read, also after a restart", async () => {
    file.set("abc", { state: "paused" });
    known.forget({ keys: [ownKey("abc")], seq: await reader.lastSeq() });
    expect(oldOf(known)).toEqual([]);
    await known.save();
    expect([oldOf(known), oldOf(openKnown({ others }))]).toEqual([[], []]);
    // Until the other one has caught up.
    await other.save();
    await other.find(ownKey("abc"));
    await other.save();
    expect(known.findOld(ownKey("abc"))).toMatchObject({ state: "paused" });
  });

  test("isn't used if a third one knows of a change, even if this one knows of none", async () => {
    const third = openSqliteLinkSnapshot({ path: pathOf(2) });
    const own = openSqliteLinkSnapshot({ path: pathOf(3) });
    const othersOfOwn = openOtherSqliteSnapshots(pathOf(3));
    try {
      const position = await reader.lastSeq();
      const started = openKnown({ snapshot: own, others: othersOfOwn });
      third.update({ links: [], changed: [], position });
      third.update({ links: [], changed: [[ownKey("xyz"), position + 500]], position: position + 1000 });
      expect(oldOf(started)).toEqual(["abc"]);
      third.update({ links: [], changed: [[ownKey("abc"), position + 1500]], position: position + 2000 });
      expect(oldOf(started)).toEqual([]);
    } finally {
      othersOfOwn.close();
      own.close();
      third.close();
    }
  });

  test("isn't used once this process has lost what it knew of changes", async () => {
    const changed = [[ownKey("abc"), (await reader.lastSeq()) + 1] as const];
    snapshot.update({ links: [], changed, position: (await reader.lastSeq()) + 1 });
    isAway = true;
    const restarted = openKnown({ others });
    expect(oldOf(restarted)).toEqual([]);
    snapshot.find = () => {
      throw new Error("disk I/O error");
    };
    expect(oldOf(restarted)).toEqual([]);
    snapshot = openSqliteLinkSnapshot({ path: pathOf(0) });
  });

  test("is used if it includes the change, although its process couldn't read the log", async () => {
    file.add({ slug: "new" });
    await other.find(ownKey("new"));
    isAway = true;
    await expect(other.save()).rejects.toThrow("away");
    known.forget({ keys: [ownKey("new")], seq: await reader.lastSeq() });
    expect(known.findOld(ownKey("new"))).toMatchObject({ no: 3 });
    known.forget({ keys: [ownKey("new")], seq: (await reader.lastSeq()) + 1 });
    expect(known.findOld(ownKey("new"))).toBeUndefined();
  });

  test("isn't used after a change to everything, or one that this process can't tell apart any more", async () => {
    known.forget({ keys: null, seq: (await reader.lastSeq()) + 1 });
    expect(oldOf(known)).toEqual([]);
    for (let n = 0; n < 5; n += 1) file.set("unrelated", {});
    file.prune(1);
    await openKnown().find(ownKey("nosuch"));
    expect(oldOf(openKnown({ others }))).toEqual([]);
  });

  test("is used after its file was replaced, and not if the file is gone or no snapshot", async () => {
    expect(oldOf(known)).toEqual(["abc"]);
    otherSnapshot.discard();
    otherSnapshot = openSqliteLinkSnapshot({ path: pathOf(1) });
    const replaced = openKnown({ snapshot: otherSnapshot });
    await replaced.find(ownKey("xyz"));
    await replaced.save();
    writeFileSync(pathOf(2), "no snapshot at all, but long enough to be read as one".repeat(20));
    await until("the new file is used", () => oldOf(known).join() === "xyz");
  });
});
