import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { RedirectReader } from "#engines/records/redirect-reader.ts";
import { openSqliteRedirectReader } from "#engines/records/sqlite/redirect-reader.ts";
import { nextTurn } from "#kernel/next-turn.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { linksOf } from "#test/support/links-of.ts";
import { ownKey } from "#test/support/own-key.ts";
import { until } from "#test/support/until.ts";
import { newsSince } from "./change-news.ts";
import { Freshness } from "./freshness.ts";
import { LinkCache } from "./link-cache.ts";

let file: LinkFile;
let reader: RedirectReader;
let cache: LinkCache;
let freshness: Freshness;

beforeEach(async () => {
  file = openLinkFile();
  for (const slug of ["abc", "xyz"]) file.add({ slug });
  reader = openSqliteRedirectReader(file.path);
  cache = new LinkCache({ reader: linksOf(reader) });
  freshness = new Freshness({ news: async (seq, isBehind) => newsSince(reader, seq, isBehind) }, cache);
  await freshness.check();
  for (const slug of ["abc", "xyz", "nosuch"]) await cache.load(ownKey(slug));
});

afterEach(async () => {
  await reader.close();
  file.close();
});

const cached = (): string[] => ["abc", "xyz"].filter((slug) => cache.peek(ownKey(slug)) !== undefined);

describe("without a subscription", () => {
  test("a check after a commit drops what changed and nothing else", async () => {
    await freshness.check();
    expect(cached()).toEqual(["abc", "xyz"]);
    file.set("abc", { state: "paused" });
    await freshness.check();
    expect(cached()).toEqual(["xyz"]);
    expect(freshness.isTrusted).toBe(false);
  });

  test("an unknown slug is forgotten when it is created", async () => {
    expect(cache.isKnownMissing(ownKey("nosuch"))).toBe(true);
    file.add({ slug: "nosuch" });
    await freshness.check();
    expect(cache.isKnownMissing(ownKey("nosuch"))).toBe(false);
  });

  test("a change to everything and a pruned log both clear the cache", async () => {
    file.setSuspended(true);
    await freshness.check();
    expect(cached()).toEqual([]);
    for (const slug of ["abc", "xyz"]) await cache.load(ownKey(slug));
    for (let n = 0; n < 5; n += 1) file.set("other", {});
    file.prune(1);
    await freshness.check();
    expect(cached()).toEqual([]);
  });
});

describe("with a subscription", () => {
  test("a welcome catches up with the log, and from then on the bus is trusted", async () => {
    file.set("abc", { state: "paused" });
    freshness.onWelcome();
    await freshness.check();
    expect(cached()).toEqual(["xyz"]);
    expect(freshness.isTrusted).toBe(true);
  });

  test("a notice drops what it names, or everything", async () => {
    freshness.onWelcome();
    await freshness.check();
    freshness.onChanges({ seq: 3, keys: [ownKey("abc")] });
    expect(cached()).toEqual(["xyz"]);
    freshness.onChanges({ seq: 4, keys: null });
    expect(cached()).toEqual([]);
  });

  test("after a lost connection, checks resume from the last notice", async () => {
    freshness.onWelcome();
    await freshness.check();
    file.set("abc", { state: "paused" });
    freshness.onChanges({ seq: await reader.lastSeq(), keys: [ownKey("abc")] });
    await cache.load(ownKey("abc"));
    freshness.onLost();
    expect(freshness.isTrusted).toBe(false);
    await freshness.check();
    expect(cached()).toEqual(["abc", "xyz"]);
    file.set("xyz", { state: "paused" });
    await freshness.check();
    expect(cached()).toEqual(["abc"]);
  });
});

describe("in doubt", () => {
  test("links stay cached, but the log is asked before each use until it can be read", async () => {
    let isAway = false;
    const doubtful = new Freshness(
      {
        async news(seq, isBehind) {
          if (isAway) throw new Error("away");
          return newsSince(reader, seq, isBehind);
        },
      },
      cache,
    );
    doubtful.onWelcome();
    await doubtful.check();
    for (const slug of ["abc", "xyz"]) await cache.load(ownKey(slug));
    file.set("abc", { state: "paused" });
    isAway = true;
    doubtful.onChanges({ seq: 2, keys: [], inDoubt: true });
    expect(doubtful.isUsable).toBe(false);
    await doubtful.check();
    expect(cached()).toEqual(["abc", "xyz"]);
    isAway = false;
    await doubtful.check();
    expect(cached()).toEqual(["xyz"]);
    expect(doubtful.isTrusted).toBe(true);
    doubtful.close();
  });
});

describe("while the records engine is unavailable", () => {
  test("cached links stay, the bus isn't trusted, and the first answer catches up", async () => {
    let isAway = true;
    const failing = <T>(read: () => T): T => {
      if (isAway) throw new Error("away");
      return read();
    };
    const doubtful = new Freshness(
      { news: async (seq, isBehind) => failing(() => newsSince(reader, seq, isBehind)) },
      cache,
    );
    doubtful.onWelcome();
    await doubtful.check();
    expect(doubtful.isTrusted).toBe(false);
    expect(cached()).toEqual(["abc", "xyz"]);
    isAway = false;
    await doubtful.check();
    expect(doubtful.isTrusted).toBe(true);
    expect(cached()).toEqual([]);
  });
});

describe("whether a missing link may have been created", () => {
  let now: number;
  let isAway: boolean;
  const open = (isShared: boolean): Freshness => {
    now = 1_000_000;
    isAway = false;
    const news = async (seq: number | null, isBehind: boolean) => {
      if (isAway) throw new Error("away");
      return newsSince(reader, seq, isBehind);
    };
    return new Freshness({ news }, cache, { isShared, clock: () => now });
  };

  test("by another node is known for a second after control has read the log", async () => {
    const shared = open(true);
    expect(shared.knowsNewLinks).toBe(false);
    shared.onWelcome();
    // Nothing is known of what changed before the welcome.
    shared.onCurrent(now);
    expect(shared.knowsNewLinks).toBe(false);
    await shared.check();
    expect(shared.knowsNewLinks).toBe(true);
    now += 900;
    shared.onCurrent(now - 100);
    now += 800;
    expect(shared.knowsNewLinks).toBe(true);
    now += 100;
    expect([shared.isTrusted, shared.isUsable, shared.knowsNewLinks]).toEqual([true, true, false]);
    shared.onCurrent(now);
    expect(shared.knowsNewLinks).toBe(true);
    // A clock that was set back must not make it true for as long as that.
    now -= 3_600_000;
    expect(shared.knowsNewLinks).toBe(false);
    shared.onCurrent(now);
    expect(shared.knowsNewLinks).toBe(true);
  });

  test("is known without other nodes as long as control announces changes, then as long as the log can be read", async () => {
    const alone = open(false);
    alone.onWelcome();
    await alone.check();
    now += 3_600_000;
    expect(alone.knowsNewLinks).toBe(true);
    alone.onLost();
    expect(alone.knowsNewLinks).toBe(false);
    await alone.check();
    expect(alone.knowsNewLinks).toBe(true);
    isAway = true;
    now += 1000;
    await alone.check();
    expect(alone.knowsNewLinks).toBe(false);
  });
});

describe("on a disk that doesn't respond", () => {
  test("waiting requests use the cache, later ones don't wait, and a late answer is still applied", async () => {
    let answer = Promise.withResolvers<void>();
    let asked = 0;
    const stalled = new Freshness(
      {
        async news(seq, isBehind) {
          asked += 1;
          await answer.promise;
          return newsSince(reader, seq, isBehind);
        },
      },
      cache,
      { diskTimeoutMs: 10 },
    );
    answer.resolve();
    await stalled.check();
    for (const slug of ["abc", "xyz"]) await cache.load(ownKey(slug));
    answer = Promise.withResolvers();
    await stalled.check();
    expect({ isUsable: stalled.isUsable, isTrusted: stalled.isTrusted, asked }).toEqual({
      isUsable: true,
      isTrusted: false,
      asked: 2,
    });
    await stalled.check();
    expect(asked).toBe(2);
    expect(cached()).toEqual(["abc", "xyz"]);
    file.set("abc", { state: "paused" });
    answer.resolve();
    await until("what changed is dropped", () => cached().length === 1);
    expect(stalled.isUsable).toBe(false);
    stalled.close();
  });

  test("a commit between an early answer and the welcome is not missed", async () => {
    let answer = Promise.withResolvers<void>();
    const late = new Freshness(
      {
        async news(seq, isBehind) {
          const news = await newsSince(reader, seq, isBehind);
          await answer.promise;
          return news;
        },
      },
      cache,
    );
    answer.resolve();
    await late.check();
    for (const slug of ["abc", "xyz"]) await cache.load(ownKey(slug));
    answer = Promise.withResolvers();
    const checked = late.check();
    await nextTurn();
    file.set("abc", { state: "paused" });
    late.onWelcome();
    answer.resolve();
    await checked;
    await until("the bus is trusted", () => late.isTrusted);
    expect(cached()).toEqual(["xyz"]);
    late.close();
  });
});
