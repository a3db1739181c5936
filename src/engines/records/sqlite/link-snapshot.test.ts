import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownKey } from "#test/support/own-key.ts";
import type { LinkSnapshot } from "../link-snapshot.ts";
import type { RedirectRow } from "../redirect-reader.ts";
import { openSqliteLinkSnapshot } from "./link-snapshot.ts";

let directory: string;
let path: string;
const open: LinkSnapshot[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-snapshot-"));
  path = join(directory, "snapshot", "links-0.db");
});
afterEach(() => {
  for (const snapshot of open.splice(0)) snapshot.close();
  rmSync(directory, { recursive: true });
});

function openHere(linksMax?: number): LinkSnapshot {
  const snapshot = openSqliteLinkSnapshot({ path, ...(linksMax !== undefined && { linksMax }) });
  open.push(snapshot);
  return snapshot;
}

function writeRaw(sql: string): void {
  mkdirSync(join(directory, "snapshot"), { recursive: true });
  using database = new Database(path);
  database.run(sql);
}

const rowOf = (no: number): RedirectRow => ({
  no,
  account_no: 1,
  destination_url: `https://example.com/${no}`,
  utm: { utm_source: "mail" },
  title: null,
  state: "active",
  expires_at: null,
  blocked_reason: null,
  suspended: false,
  guarded: false,
  settings: null,
});

describe("a snapshot of links", () => {
  test("knows what was added, also after a restart", () => {
    const first = openHere();
    expect([first.position(), first.isEmpty(), first.find(ownKey("abc"))]).toEqual([null, true, undefined]);
    first.update({
      links: [
        [ownKey("abc"), rowOf(1), 0],
        [ownKey("gone"), "deleted", 0],
      ],
      changed: [],
      position: 7,
    });
    open.splice(0)[0]?.close();
    const second = openHere();
    expect(second.position()).toBe(7);
    expect(second.isEmpty()).toBe(false);
    expect(second.find(ownKey("abc"))).toEqual(rowOf(1));
    expect(second.find(ownKey("gone"))).toBe("deleted");
    expect(second.find(ownKey("other"))).toBeUndefined();
  });

  test("loses what has changed since it was looked up", () => {
    const snapshot = openHere();
    snapshot.update({
      links: [
        [ownKey("abc"), rowOf(1), 0],
        [ownKey("xyz"), rowOf(2), 0],
      ],
      changed: [],
      position: 7,
    });
    snapshot.update({ links: [[ownKey("new"), rowOf(3), 0]], changed: [[ownKey("abc"), 8]], position: 8 });
    expect(["abc", "xyz", "new"].filter((slug) => snapshot.find(ownKey(slug)))).toEqual(["xyz", "new"]);
    snapshot.forget([ownKey("xyz")], 9);
    expect(snapshot.find(ownKey("xyz"))).toBeUndefined();
    snapshot.update({ links: [], changed: null, position: 9 });
    expect([snapshot.isEmpty(), snapshot.position()]).toEqual([true, 9]);
  });

  test("keeps what includes the change, by its position or by what was known of the link itself", () => {
    const snapshot = openHere();
    const keys = ["old", "abc", "xyz"].map(ownKey);
    const found = () => keys.filter((key) => snapshot.find(key));
    const links = keys.map((key, no) => [key, rowOf(no), no === 0 ? 0 : 8] as const);
    snapshot.update({ links, changed: [], position: 7 });
    snapshot.forget(keys, 7);
    expect(found()).toEqual(keys);
    snapshot.forget(keys, 8);
    expect(found()).toEqual(["abc", "xyz"].map(ownKey));
    const changed = [[ownKey("abc"), 8] as const, [ownKey("xyz"), 9] as const];
    snapshot.update({ links: [], changed, position: 9 });
    expect(found()).toEqual([ownKey("abc")]);
    snapshot.forget([ownKey("abc")], Number.POSITIVE_INFINITY);
    expect(found()).toEqual([]);
  });

  test("keeps the links that were added last, and each only once", () => {
    const snapshot = openHere(3);
    for (let no = 1; no <= 5; no += 1)
      snapshot.update({ links: [[ownKey(`s${no}`), rowOf(no), 0]], changed: [], position: no });
    expect(["s1", "s2", "s3", "s4", "s5"].filter((slug) => snapshot.find(ownKey(slug)))).toEqual(["s3", "s4", "s5"]);
    snapshot.update({
      links: [
        [ownKey("s3"), rowOf(33), 0],
        [ownKey("s6"), rowOf(6), 0],
      ],
      changed: [],
      position: 6,
    });
    expect(["s3", "s4", "s5", "s6"].filter((slug) => snapshot.find(ownKey(slug)))).toEqual(["s3", "s5", "s6"]);
    expect(snapshot.find(ownKey("s3"))).toMatchObject({ no: 33 });
  });

  test("has no trace of what was deleted once it is closed", () => {
    const snapshot = openHere();
    snapshot.update({
      links: [
        [ownKey("abc"), rowOf(4711), 0],
        [ownKey("xyz"), rowOf(2), 0],
      ],
      changed: [],
      position: 1,
    });
    snapshot.forget([ownKey("abc")], 2);
    open.splice(0)[0]?.close();
    const bytes = readdirSync(join(directory, "snapshot")).map((name) =>
      readFileSync(join(directory, "snapshot", name), "latin1"),
    );
    expect(bytes.join()).not.toContain("example.com/4711");
  });

  test("starts over if the file is damaged or of another format", () => {
    openHere().update({ links: [[ownKey("abc"), rowOf(1), 0]], changed: [], position: 1 });
    open.splice(0)[0]?.close();
    writeRaw("pragma user_version = 4711");
    expect(openHere().isEmpty()).toBe(true);
    open.splice(0)[0]?.close();
    writeFileSync(path, "this is no database".repeat(1000));
    expect(openHere().isEmpty()).toBe(true);
  });
});
