import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
});

describe("a snapshot of links", () => {
  test("knows what was added, also after a restart", () => {
    const first = openHere();
    expect([first.position(), first.isEmpty(), first.find("abc")]).toEqual([null, true, undefined]);
    first.update({
      links: [
        ["abc", rowOf(1), 0],
        ["gone", "deleted", 0],
      ],
      changed: [],
      position: 7,
    });
    open.splice(0)[0]?.close();
    const second = openHere();
    expect(second.position()).toBe(7);
    expect(second.isEmpty()).toBe(false);
    expect(second.find("abc")).toEqual(rowOf(1));
    expect(second.find("gone")).toBe("deleted");
    expect(second.find("other")).toBeUndefined();
  });

  test("loses what has changed since it was looked up", () => {
    const snapshot = openHere();
    snapshot.update({
      links: [
        ["abc", rowOf(1), 0],
        ["xyz", rowOf(2), 0],
      ],
      changed: [],
      position: 7,
    });
    snapshot.update({ links: [["new", rowOf(3), 0]], changed: [["abc", 8]], position: 8 });
    expect(["abc", "xyz", "new"].filter((slug) => snapshot.find(slug))).toEqual(["xyz", "new"]);
    snapshot.forget(["xyz"], 9);
    expect(snapshot.find("xyz")).toBeUndefined();
    snapshot.update({ links: [], changed: null, position: 9 });
    expect([snapshot.isEmpty(), snapshot.position()]).toEqual([true, 9]);
  });

  test("keeps what includes the change, by its position or by what was known of the link itself", () => {
    const snapshot = openHere();
    const slugs = ["old", "abc", "xyz"];
    const found = () => slugs.filter((slug) => snapshot.find(slug));
    const links = slugs.map((slug, no) => [slug, rowOf(no), slug === "old" ? 0 : 8] as const);
    snapshot.update({ links, changed: [], position: 7 });
    snapshot.forget(slugs, 7);
    expect(found()).toEqual(slugs);
    snapshot.forget(slugs, 8);
    expect(found()).toEqual(["abc", "xyz"]);
    const changed = [["abc", 8] as const, ["xyz", 9] as const];
    snapshot.update({ links: [], changed, position: 9 });
    expect(found()).toEqual(["abc"]);
    snapshot.forget(["abc"], Number.POSITIVE_INFINITY);
    expect(found()).toEqual([]);
  });

  test("keeps the links that were added last, and each only once", () => {
    const snapshot = openHere(3);
    for (let no = 1; no <= 5; no += 1)
      snapshot.update({ links: [[`s${no}`, rowOf(no), 0]], changed: [], position: no });
    expect(["s1", "s2", "s3", "s4", "s5"].filter((slug) => snapshot.find(slug))).toEqual(["s3", "s4", "s5"]);
    snapshot.update({
      links: [
        ["s3", rowOf(33), 0],
        ["s6", rowOf(6), 0],
      ],
      changed: [],
      position: 6,
    });
    expect(["s3", "s4", "s5", "s6"].filter((slug) => snapshot.find(slug))).toEqual(["s3", "s5", "s6"]);
    expect(snapshot.find("s3")).toMatchObject({ no: 33 });
  });

  test("has no trace of what was deleted once it is closed", () => {
    const snapshot = openHere();
    snapshot.update({
      links: [
        ["abc", rowOf(4711), 0],
        ["xyz", rowOf(2), 0],
      ],
      changed: [],
      position: 1,
    });
    snapshot.forget(["abc"], 2);
    open.splice(0)[0]?.close();
    const bytes = readdirSync(join(directory, "snapshot")).map((name) =>
      readFileSync(join(directory, "snapshot", name), "latin1"),
    );
    expect(bytes.join()).not.toContain("example.com/4711");
  });

  test("keeps the links of a file of the format before", () => {
    writeRaw(`create table links (no integer primary key, slug text not null unique, link text not null);
      create table position (seq integer not null);
      insert into links (slug, link) values ('abc', '${JSON.stringify(rowOf(1))}'), ('gone', '"deleted"');
      insert into position (seq) values (7);
      pragma user_version = 1;`);
    const snapshot = openHere();
    expect([snapshot.position(), snapshot.find("abc"), snapshot.find("gone")]).toEqual([7, rowOf(1), "deleted"]);
    expect(snapshot.changedAt("abc")).toBe(7);
    snapshot.update({ links: [["new", rowOf(2), 0]], changed: [["abc", 8]], position: 9 });
    expect(["abc", "gone", "new"].filter((slug) => snapshot.find(slug))).toEqual(["gone", "new"]);
    expect([snapshot.changedAt("abc"), snapshot.changedAt("gone")]).toEqual([8, 7]);
    expect(openHere().position()).toBe(9);
  });

  test("has the links of a format that didn't know which changes each includes beyond its position", () => {
    writeRaw(`create table links (no integer primary key, slug text not null unique, link text not null);
      create table position (seq integer not null, changed_from integer not null);
      create table changed (slug text primary key, seq integer not null) without rowid;
      create index changed_by_seq on changed (seq);
      insert into links (slug, link) values ('abc', '${JSON.stringify(rowOf(1))}');
      insert into position (seq, changed_from) values (7, 3);
      pragma user_version = 2;`);
    const snapshot = openHere();
    snapshot.forget(["abc"], 7);
    expect([snapshot.find("abc"), snapshot.changedAt("abc")]).toEqual([rowOf(1), 3]);
    snapshot.forget(["abc"], 8);
    expect(snapshot.find("abc")).toBeUndefined();
  });

  test("starts over if the file is damaged or of an unknown format", () => {
    openHere().update({ links: [["abc", rowOf(1), 0]], changed: [], position: 1 });
    open.splice(0)[0]?.close();
    writeRaw("pragma user_version = 4711");
    expect(openHere().isEmpty()).toBe(true);
    open.splice(0)[0]?.close();
    writeFileSync(path, "this is no database".repeat(1000));
    expect(openHere().isEmpty()).toBe(true);
  });
});
