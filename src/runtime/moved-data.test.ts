import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DataPaths, dataPaths } from "#config/data-paths.ts";
import { loadConfig } from "#config/load-config.ts";
import type { Config } from "#config/settings.ts";
import { migrateSqlite } from "#engines/records/sqlite/migrate.ts";
import { type MoveNote, noteUse, readMoveNote, refuseMovedData, writeMoveNote } from "./moved-data.ts";
import { prepareRecords } from "./prepare-records.ts";

const SERVERS = {
  DATABASE_URL: "postgres://kurz:secret-word@127.0.0.1:1/kurz",
  KURZ_SECRET_KEY: "a secret key that is long enough",
};
const CLICKHOUSE = { CLICKHOUSE_URL: "http://127.0.0.1:1/kurz" };
const CLICKS_TO = `ClickHouse at clicks.example:8443, database "kurz"`;
const note: MoveNote = {
  installation: "a",
  moved_at: "2026-11-16T18:00:00.000Z",
  records_to: `PostgreSQL at db.example:5432, database "kurz"`,
  clicks_to: null,
  is_complete: true,
  used_since: "2026-11-16T18:30:00.000Z",
  clicks_used_since: null,
};
const withClicks: MoveNote = { ...note, clicks_to: CLICKS_TO };
const since = note.used_since;

let directory = "";
let paths: DataPaths;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-moved-"));
  paths = dataPaths(join(directory, "data"));
  mkdirSync(paths.dataDir);
});
afterEach(() => rmSync(directory, { recursive: true }));

const configOf = (env: Readonly<Record<string, string>> = {}): Config =>
  loadConfig({ KURZ_DATA_DIR: paths.dataDir, ...env });

const refusalOf = (env: Readonly<Record<string, string>> = {}): string => {
  try {
    refuseMovedData(configOf(env));
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

test("data that was moved is used as before until a server has used it where it is now", async () => {
  expect(refusalOf()).toBe("");
  writeMoveNote(paths, { ...note, used_since: null });
  expect(refusalOf()).toBe("");
  migrateSqlite(paths.records);
  await prepareRecords(configOf());
  // A server without a server for records isn't the new one.
  await noteUse(configOf());
  expect(refusalOf()).toBe("");
});

test("after the switch, a lost setting doesn't bring the old data back", async () => {
  migrateSqlite(paths.records);
  writeMoveNote(paths, note);
  expect(refusalOf()).toBe(
    `the records in ${paths.dataDir} were moved to PostgreSQL at db.example:5432, database "kurz", and have been used ` +
      `there since 2026-11-16T18:30:00.000Z; set DATABASE_URL, or, to give up what has changed there since, delete ${paths.moved}`,
  );
  await expect(prepareRecords(configOf())).rejects.toThrow("set DATABASE_URL");
  expect(refusalOf(SERVERS)).toBe("");
  rmSync(paths.moved);
  await prepareRecords(configOf());
});

test("clicks and records that were moved together are only used together, from the first start on", () => {
  writeMoveNote(paths, { ...withClicks, used_since: null });
  expect(refusalOf()).toBe("");
  expect(refusalOf({ ...SERVERS, ...CLICKHOUSE })).toBe("");
  expect(refusalOf(SERVERS)).toBe(
    `the clicks in ${paths.dataDir} were moved to ClickHouse at clicks.example:8443, database "kurz", along with the ` +
      "records, but CLICKHOUSE_URL isn't set; set it, or, to keep clicks in the data directory, run kurz move again with " +
      "a file that doesn't set CLICKHOUSE_URL",
  );
  expect(refusalOf(CLICKHOUSE)).toBe(
    `the records in ${paths.dataDir} were moved to PostgreSQL at db.example:5432, database "kurz", along with the ` +
      "clicks, but DATABASE_URL isn't set; set it, or, to go on as before the move, unset CLICKHOUSE_URL",
  );
});

test("clicks that stayed when the records were moved are used from where they are", () => {
  writeMoveNote(paths, { ...note, used_since: null });
  expect(refusalOf(SERVERS)).toBe("");
});

test("after the switch, one lost setting of two doesn't either", () => {
  writeMoveNote(paths, { ...withClicks, clicks_used_since: since });
  expect(refusalOf()).toContain("set DATABASE_URL and CLICKHOUSE_URL,");
  expect(refusalOf(CLICKHOUSE)).toContain("set DATABASE_URL and CLICKHOUSE_URL,");
  expect(refusalOf(SERVERS)).toContain(
    `were moved to ClickHouse at clicks.example:8443, database "kurz", and have been used there since`,
  );
  expect(refusalOf({ ...SERVERS, ...CLICKHOUSE })).toBe("");
});

test("a switch to an incomplete copy is refused: a server was running when the records were copied", () => {
  writeMoveNote(paths, { ...note, is_complete: false, used_since: null });
  expect(refusalOf()).toBe("");
  expect(refusalOf(SERVERS)).toBe(
    `the records in ${paths.dataDir} aren't all in PostgreSQL at db.example:5432, database "kurz", because a server or ` +
      "command used them during the last move, or since; run kurz move again with the old settings while no server is " +
      `running, or, to give up what has changed since 2026-11-16T18:00:00.000Z, delete ${paths.moved}`,
  );
  writeMoveNote(paths, { ...withClicks, is_complete: false, used_since: null });
  expect(refusalOf()).toBe("");
  expect(refusalOf({ ...SERVERS, ...CLICKHOUSE })).toBe(
    `the records and clicks in ${paths.dataDir} aren't all in PostgreSQL at db.example:5432, database "kurz" and ` +
      `ClickHouse at clicks.example:8443, database "kurz", because a server or command used them during the last move, ` +
      "or since; run kurz move again with the old settings while no server is running, or, to give up what has changed " +
      `since 2026-11-16T18:00:00.000Z and all clicks that weren't copied, delete ${paths.moved}`,
  );
  expect(refusalOf(SERVERS)).toContain("run kurz move again with a file that doesn't set CLICKHOUSE_URL");
});

test("who goes on with the old records makes another move necessary", async () => {
  for (const before of [
    { ...note, used_since: null },
    { ...withClicks, used_since: null },
  ]) {
    writeMoveNote(paths, before);
    await noteUse(configOf());
    expect(readMoveNote(paths)).toEqual({ ...before, is_complete: false });
  }
  // They are outdated by now.
  writeMoveNote(paths, note);
  await noteUse(configOf(SERVERS));
  expect(readMoveNote(paths)).toEqual(note);
});

test("who goes on with the old clicks makes another move necessary", async () => {
  for (const before of [withClicks, { ...withClicks, records_to: null, used_since: null }]) {
    writeMoveNote(paths, before);
    await noteUse(configOf(SERVERS));
    expect(readMoveNote(paths)).toEqual({ ...before, is_complete: false });
    expect(refusalOf(SERVERS)).toBe("");
    const refusal = refusalOf({ ...SERVERS, ...CLICKHOUSE });
    expect(refusal).toContain(`the clicks in ${paths.dataDir} aren't all in ClickHouse at clicks.example:8443`);
    expect(refusal).toContain(`or, to give up all clicks that weren't copied, delete ${paths.moved}`);
  }
});

test("clicks that were copied later than the records are used from where they are, until a server has used the copy", () => {
  for (const before of [withClicks, { ...withClicks, records_to: null, used_since: null }]) {
    writeMoveNote(paths, before);
    expect(refusalOf(SERVERS)).toBe("");
    expect(refusalOf({ ...SERVERS, ...CLICKHOUSE })).toBe("");
    writeMoveNote(paths, { ...before, clicks_used_since: "2026-11-17T09:00:00.000Z" });
    expect(refusalOf({ ...SERVERS, ...CLICKHOUSE })).toBe("");
    expect(refusalOf(SERVERS)).toBe(
      `the clicks in ${paths.dataDir} were moved to ClickHouse at clicks.example:8443, database "kurz", and have been ` +
        "used there since 2026-11-17T09:00:00.000Z; set CLICKHOUSE_URL, or, to give up what has changed there since, " +
        `delete ${paths.moved}`,
    );
  }
});

test("the note is for this user alone, and complete at any moment", () => {
  writeMoveNote(paths, note);
  writeMoveNote(paths, { ...note, used_since: null });
  expect(JSON.parse(readFileSync(paths.moved, "utf8"))).toEqual({ ...note, used_since: null });
});
