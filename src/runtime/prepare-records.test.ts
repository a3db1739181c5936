import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DataPaths, dataPaths } from "#config/data-paths.ts";
import { loadConfig } from "#config/load-config.ts";
import type { Config } from "#config/settings.ts";
import { findSchemaVersion } from "#engines/records/schema-version.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { prepareRecords } from "./prepare-records.ts";

let directory = "";
let paths: DataPaths;
let config: Config;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-prepare-"));
  paths = dataPaths(join(directory, "data"));
  mkdirSync(paths.dataDir);
  config = loadConfig({ KURZ_DATA_DIR: paths.dataDir });
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

const expectBegun = async (): Promise<void> => {
  const { version } = await prepareRecords(config);
  expect(findSchemaVersion(paths.records)).toBe(version);
};

test("a first start that was killed while the file was made is followed by one that works", async () => {
  breakOff("delete", "-journal");
  await expectBegun();
});

test("so is one that was killed before its first commit was in the log", async () => {
  breakOff("wal", "-wal");
  await expectBegun();
});

test("an emptied file beside its log is no first start", async () => {
  breakOff("wal", "-wal");
  writeFileSync(paths.records, "");
  expect(prepareRecords(config)).rejects.toThrow(OperatorMistake);
});
