import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { ownKey } from "#test/support/own-key.ts";
import { CHANGES_READ_MAX, type RedirectReader } from "../redirect-reader.ts";
import { openSqliteRedirectReader } from "./redirect-reader.ts";

let file: LinkFile;
let reader: RedirectReader;

beforeEach(() => {
  file = openLinkFile();
  reader = openSqliteRedirectReader(file.path);
});

afterEach(async () => {
  await reader.close();
  file.close();
});

describe("find", () => {
  test("returns what a redirect needs and nothing else", async () => {
    file.add({
      slug: "abc",
      destination_url: "https://example.com/sale",
      title: "Sale",
      utm: { utm_source: "mail" },
      expires_at: 42,
      blocked_reason: "spam",
    });
    expect(await reader.find(ownKey("abc"))).toEqual({
      no: 1,
      account_no: 1,
      destination_url: "https://example.com/sale",
      utm: { utm_source: "mail" },
      title: "Sale",
      state: "active",
      expires_at: 42,
      blocked_reason: "spam",
      suspended: false,
      guarded: false,
      settings: null,
    });
  });

  test("distinguishes a suspended account, a deleted link and an unknown one", async () => {
    file.add({ slug: "abc" });
    file.setSuspended(true);
    expect(await reader.find(ownKey("abc"))).toMatchObject({ suspended: true });
    file.remove("abc");
    expect(await reader.find(ownKey("abc"))).toBe("deleted");
    expect(await reader.find(ownKey("nosuch"))).toBeNull();
  });
});

describe("findAsOf", () => {
  test("tells which changes the link includes, whether there is one or not", async () => {
    const before = await reader.lastSeq();
    expect(await reader.findAsOf(ownKey("abc"))).toEqual({ found: null, seq: before });
    file.add({ slug: "abc" });
    expect(await reader.findAsOf(ownKey("abc"))).toMatchObject({ found: { state: "active" }, seq: before + 1 });
    file.remove("abc");
    expect(await reader.findAsOf(ownKey("abc"))).toEqual({ found: "deleted", seq: before + 2 });
  });
});

describe("the change log", () => {
  test("lists what changed since a sequence number, in commit order", async () => {
    const before = await reader.lastSeq();
    expect(await reader.changesSince(before)).toEqual([]);
    file.add({ slug: "abc" });
    file.setSuspended(true);
    file.set("abc", { state: "paused" });
    expect(await reader.changesSince(before)).toEqual([
      { seq: before + 1, key: ownKey("abc") },
      { seq: before + 2, key: null },
      { seq: before + 3, key: ownKey("abc") },
    ]);
    expect(await reader.lastSeq()).toBe(before + 3);
  });

  test("reports a gap where entries were pruned, and only there", async () => {
    for (const slug of ["a1", "b2", "c3", "d4"]) file.add({ slug });
    file.prune(2);
    expect(await reader.changesSince(0)).toBe("gap");
    expect(await reader.changesSince(1)).toBe("gap");
    expect(await reader.changesSince(2)).toHaveLength(2);
    expect(await reader.changesSince(4)).toEqual([]);
  });

  test("reports a gap if the data is older than the reader, as after a restore", async () => {
    file.add({ slug: "abc" });
    expect(await reader.changesSince(99)).toBe("gap");
  });

  test("reports a gap rather than more changes than fit into a message", async () => {
    file.add({ slug: "abc" });
    for (let n = 0; n < CHANGES_READ_MAX; n += 1) file.set("abc", {});
    expect(await reader.changesSince(0)).toBe("gap");
    expect(await reader.changesSince(1)).toHaveLength(CHANGES_READ_MAX);
  });

  test("another connection's commit is noticed once", async () => {
    await reader.hasForeignCommit();
    expect(await reader.hasForeignCommit()).toBe(false);
    file.add({ slug: "abc" });
    expect(await reader.hasForeignCommit()).toBe(true);
    expect(await reader.hasForeignCommit()).toBe(false);
  });
});

test("a missing file throws instead of being created", () => {
  const missing = openLinkFile();
  missing.close();
  expect(() => openSqliteRedirectReader(missing.path)).toThrow();
  rmSync(missing.dataDir, { recursive: true, force: true });
});
