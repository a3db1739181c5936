import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type DataPaths, dataPaths, snapshotFile } from "#config/data-paths.ts";
import { hasSnapshot, removeLeftSnapshots } from "./snapshot-files.ts";

let paths: DataPaths;

beforeEach(() => {
  paths = dataPaths(mkdtempSync(join(tmpdir(), "kurz-snapshots-")));
});
afterEach(() => rmSync(paths.dataDir, { recursive: true }));

test("the snapshots of processes that the node doesn't have any more are removed, with their logs", () => {
  removeLeftSnapshots(paths, 2);
  expect(hasSnapshot(paths)).toBe(false);
  mkdirSync(dirname(snapshotFile(paths, 0)), { recursive: true });
  for (const writer of [0, 1, 2, 11]) {
    for (const suffix of ["", "-wal", "-shm"]) writeFileSync(`${snapshotFile(paths, writer)}${suffix}`, "");
  }
  writeFileSync(join(paths.snapshots, "notes"), "");
  removeLeftSnapshots(paths, 2);
  expect(readdirSync(paths.snapshots).sort()).toEqual([
    "links-0.db",
    "links-0.db-shm",
    "links-0.db-wal",
    "links-1.db",
    "links-1.db-shm",
    "links-1.db-wal",
    "notes",
  ]);
  expect(hasSnapshot(paths)).toBe(true);
  removeLeftSnapshots(paths, 0);
  expect(hasSnapshot(paths)).toBe(false);
});
