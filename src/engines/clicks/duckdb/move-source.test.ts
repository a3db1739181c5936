import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { partOf } from "#test/conformance/clicks.oracle.ts";
import { writeVersion1 } from "#test/conformance/clicks.version-1.ts";
import { type FilledClicks, fillClicks, openFilled } from "#test/support/filled-clicks.ts";
import { DAY_END, type MovedTable, movedTables } from "../move/moved-tables.ts";
import { type MoveSource, openMoveSource } from "./move-source.ts";

const directory = mkdtempSync(join(tmpdir(), "kurz-move-source-"));
const elsewhere = mkdtempSync(join(tmpdir(), "kurz-move-read-"));
const batchDirectory = join(directory, "batches");
const path = join(directory, "clicks.duckdb");
const ALL_DAYS = { fromDay: 0, toDay: DAY_END };
let filled: FilledClicks;

beforeAll(async () => {
  mkdirSync(batchDirectory);
  filled = await fillClicks(path, batchDirectory);
});
afterAll(() => {
  for (const path of [directory, elsewhere]) rmSync(path, { recursive: true });
});

const open = (from = path, installation = "a"): Promise<MoveSource> =>
  openMoveSource({ path: from, batchDirectory, installation });

const tableOf = (name: string): MovedTable => movedTables.find((table) => table.name === name) as MovedTable;

/** The rows of all pages, as another engine reads them. */
async function readPages(source: MoveSource, table: MovedTable): Promise<readonly Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const rows: Record<string, unknown>[] = [];
  const file = join(elsewhere, "read.parquet");
  for await (const page of source.pages(table, { node: "it's", batch: 5 })) {
    await Bun.write(file, page.bytes);
    const found = (await connection.runAndReadAll(`select * from '${file}'`)).getRowObjectsJson();
    expect(found).toHaveLength(page.rows);
    rows.push(...found);
  }
  instance.closeSync();
  return rows;
}

test("all that reports are made from is read, with texts and visitors as they were in the journal", async () => {
  const source = await open();
  const counts = await Promise.all(movedTables.map((table) => source.count(table)));
  expect(counts.every((count) => count > 0)).toBe(true);
  for (const table of movedTables) {
    const rows = await readPages(source, table);
    expect([table.name, rows.length]).toEqual([table.name, await source.count(table)]);
    const digests = await source.digest(table, ALL_DAYS);
    expect(digests.reduce((sum, { rows }) => sum + rows, 0)).toBe(rows.length);
  }
  const clicks = await readPages(source, tableOf("clicks"));
  expect(new Set(clicks.map(({ node, batch }) => `${node} ${batch}`))).toEqual(new Set(["it's 5"]));
  const old = await readPages(source, tableOf("compacted_clicks"));
  const hard = [...clicks, ...old].find(({ utm_term }) => utm_term === "\\N");
  expect(hard?.utm_content).toBe(`"quoted", 'so' \\ 日本語 👩‍👩‍👧`);
  const known = new Set(filled.clicks.map(({ visitor }) => visitor && String(BigInt(`0x${visitor}`))));
  const visitors = clicks.map(({ visitor }) => visitor as string | null);
  expect(visitors.filter((visitor) => !known.has(visitor))).toEqual([]);
  expect(visitors.filter((visitor) => visitor !== null).length).toBeGreaterThan(50);
  source.close();
  expect((await readTags()).map(({ link_no, tags }) => [link_no, tags])).toEqual([
    [0, []],
    [1, ["sale", "Größe"]],
    [2, ["sale"]],
  ]);
});

async function readTags(): Promise<readonly Record<string, unknown>[]> {
  const source = await open();
  const rows = await readPages(source, tableOf("link_tags"));
  source.close();
  return rows.toSorted((a, b) => Number(a.link_no) - Number(b.link_no));
}

test("positions in the journal come along", async () => {
  const source = await open();
  expect((await source.checkpoints()).toSorted((a, b) => (a.segment < b.segment ? -1 : 1))).toEqual([
    { segment: "old-0-1-0", offset: 501 },
    { segment: "old-0-2-0", offset: 61 },
  ]);
  source.close();
});

test("the file is only read, and nothing is left beside it", async () => {
  const [before, files] = [readFileSync(path), readdirSync(directory, { recursive: true })];
  const source = await open();
  for (const table of movedTables) await readPages(source, table);
  source.close();
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(directory, { recursive: true }).toSorted()).toEqual(files.toSorted());
});

test("clicks that are only in the log of a killed process are read, too, and pages of a killed move are removed", async () => {
  const copy = join(elsewhere, "killed.duckdb");
  const engine = openFilled({ path, batchDirectory });
  const clicks = filled.clicks.slice(700, 720);
  await engine.ingest({ parts: [partOf(clicks, "old-0-3-0", 21)] });
  for (const suffix of ["", ".wal"]) copyFileSync(`${path}${suffix}`, `${copy}${suffix}`);
  const { rows } = await engine.stats();
  await engine.close();
  writeFileSync(join(batchDirectory, "page.parquet"), "clicks");
  const source = await open(copy);
  expect(readdirSync(batchDirectory)).toEqual([]);
  expect(await source.count(tableOf("clicks"))).toBe(rows);
  expect(await source.checkpoints()).toContainEqual({ segment: "old-0-3-0", offset: 21 });
  source.close();
});

test("a file that doesn't exist yet has no clicks, and isn't created", async () => {
  const missing = join(directory, "missing.duckdb");
  const source = await open(missing);
  for (const table of movedTables) expect(await source.count(table)).toBe(0);
  expect(await source.checkpoints()).toEqual([]);
  source.close();
  expect(await Bun.file(missing).exists()).toBe(false);
});

test("clicks of another installation or of another version are refused", async () => {
  const refusalOf = (from: string, installation: string): Promise<string> =>
    open(from, installation).then(
      () => "no refusal",
      (error: Error) => error.message,
    );
  expect(await refusalOf(path, "b")).toContain("the clicks of another installation");
  const old = join(directory, "old.duckdb");
  await writeVersion1(old, { clicks: [], compacted: [] });
  expect(await refusalOf(old, "a")).toContain("start the server with this version once");
});
