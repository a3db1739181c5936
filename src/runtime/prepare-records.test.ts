import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DataPaths, dataPaths } from "#config/data-paths.ts";
import { findSchemaVersion } from "#engines/records/schema-version.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { prepareRecords } from "./prepare-records.ts";

let directory = "";
let paths: DataPaths;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-prepare-"));
  paths = dataPaths(join(directory, "data"));
  mkdirSync(paths.dataDir);
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Leaves the files as a kill in the middle of the first transaction does. */
function breakOff(mode: "delete" | "wal", log: string): void {
  const path = join(directory, "begun.db");
  const database = new Database(path, { create: true });
  database.run(`pragma journal_mode = ${mode}`);
  database.run("pragma cache_size = 1");
  database.run("begin");
  database.run("create table begun (content blob)");
  database.run("insert into begun values (zeroblob(1000000))");
  copyFileSync(path, paths.records);
  copyFileSync(`${path}${log}`, `${paths.records}${log}`);
  database.run("rollback");
  database.close();
  expect(statSync(`${paths.records}${log}`).size).toBeGreaterThan(0);
}

const expectBegun = (): void => {
  const { version } = prepareRecords(paths);
  expect(findSchemaVersion(paths.records)).toBe(version);
};

test("a first start that was killed while the file was made is followed by one that works", () => {
  breakOff("delete", "-journal");
  expectBegun();
});

test("so is one that was killed before its first commit was in the log", () => {
  breakOff("wal", "-wal");
  expectBegun();
});

test("an emptied file beside its log is no first start", () => {
  breakOff("wal", "-wal");
  writeFileSync(paths.records, "");
  expect(() => prepareRecords(paths)).toThrow(OperatorMistake);
});
