import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openSqliteRedirectReader, type RedirectReader } from "#engines/records/redirect-reader.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
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
  cache = new LinkCache({ reader });
  freshness = new Freshness(reader, cache);
  freshness.check();
  for (const slug of ["abc", "xyz", "nosuch"]) await cache.load(slug);
});

afterEach(() => {
  reader.close();
  file.close();
});

const cached = (): string[] => ["abc", "xyz"].filter((slug) => cache.peek(slug) !== undefined);

describe("without a subscription", () => {
  test("a check after a commit drops what changed and nothing else", () => {
    freshness.check();
    expect(cached()).toEqual(["abc", "xyz"]);
    file.set("abc", { state: "paused" });
    freshness.check();
    expect(cached()).toEqual(["xyz"]);
    expect(freshness.isTrusted).toBe(false);
  });

  test("the memory of an unknown slug is dropped when it is created", () => {
    expect(cache.isKnownMissing("nosuch")).toBe(true);
    file.add({ slug: "nosuch" });
    freshness.check();
    expect(cache.isKnownMissing("nosuch")).toBe(false);
  });

  test("a change of everything and a pruned log drop everything", async () => {
    file.setSuspended(true);
    freshness.check();
    expect(cached()).toEqual([]);
    for (const slug of ["abc", "xyz"]) await cache.load(slug);
    for (let n = 0; n < 5; n += 1) file.set("other", {});
    file.prune(1);
    freshness.check();
    expect(cached()).toEqual([]);
  });
});

describe("with a subscription", () => {
  test("a welcome catches up with the log, and from then on the bus is trusted", () => {
    file.set("abc", { state: "paused" });
    freshness.onWelcome();
    expect(cached()).toEqual(["xyz"]);
    expect(freshness.isTrusted).toBe(true);
  });

  test("a notice drops what it names, or everything", () => {
    freshness.onWelcome();
    freshness.onChanges({ seq: 3, slugs: ["abc"] });
    expect(cached()).toEqual(["xyz"]);
    freshness.onChanges({ seq: 4, slugs: null });
    expect(cached()).toEqual([]);
  });

  test("a lost connection brings back the checks, from the last notice on", async () => {
    freshness.onWelcome();
    file.set("abc", { state: "paused" });
    freshness.onChanges({ seq: reader.lastSeq(), slugs: ["abc"] });
    await cache.load("abc");
    freshness.onLost();
    expect(freshness.isTrusted).toBe(false);
    freshness.check();
    expect(cached()).toEqual(["abc", "xyz"]);
    file.set("xyz", { state: "paused" });
    freshness.check();
    expect(cached()).toEqual(["abc"]);
  });
});

describe("with the records engine away", () => {
  test("what is cached stays, the bus is not trusted, and the first answer catches up", () => {
    let isAway = true;
    const failing = <T>(read: () => T): T => {
      if (isAway) throw new Error("away");
      return read();
    };
    const doubtful = new Freshness(
      {
        changesSince: (seq) => failing(() => reader.changesSince(seq)),
        lastSeq: () => failing(() => reader.lastSeq()),
        hasForeignCommit: () => failing(() => reader.hasForeignCommit()),
      },
      cache,
    );
    doubtful.onWelcome();
    expect(doubtful.isTrusted).toBe(false);
    expect(cached()).toEqual(["abc", "xyz"]);
    isAway = false;
    doubtful.check();
    expect(doubtful.isTrusted).toBe(true);
    expect(cached()).toEqual([]);
  });
});
