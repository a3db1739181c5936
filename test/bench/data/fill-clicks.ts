import { Database } from "bun:sqlite";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDuckDbClicks } from "#engines/clicks/duckdb-clicks.ts";
import { clickLines } from "#sample-data/click-lines.ts";
import { ACCOUNT_NO, CLICKED_LINKS, END_MS, START_MS } from "./prepared-clicks.ts";

const BATCH_LINES = 100_000;
const ROWS_PER_STATEMENT = 500;
const COLUMNS = ["at_ms", "account_no", "link_no", "bot", "visitor", "source"];
/** Their positions in a line. */
const FIELDS = [0, 1, 2, 3, 4, 13];

/** The same clicks for the engine, in batches like those of ingestion, and as rows for SQLite. */
async function fill(directory: string, clicks: number): Promise<void> {
  const raw = join(directory, "raw.duckdb");
  const engine = openDuckDbClicks({ path: raw, batchDirectory: directory });
  const database = openRows(join(directory, "rows.db"));
  const file = join(directory, "batch.tsv");
  let batches = 0;
  for (const batch of batchesOf(clicks)) {
    writeFileSync(file, batch);
    batches += 1;
    const ingesting = engine.ingest({ file, checkpoints: [{ segment: "bench", offset: batches }] });
    insertRows(database, batch);
    await ingesting;
  }
  await engine.close();
  rmSync(file);
  database.run("create index clicks_account_idx on clicks (account_no, at_ms)");
  database.run("create index clicks_link_idx on clicks (link_no, at_ms)");
  database.run("analyze");
  database.close();
  const summarised = join(directory, "summarised.duckdb");
  copyFileSync(raw, summarised);
  const summing = openDuckDbClicks({ path: summarised, batchDirectory: directory });
  await summing.summarise(END_MS);
  await summing.close();
}

function* batchesOf(clicks: number): Generator<string> {
  const targets = Array.from({ length: CLICKED_LINKS }, (_, index) => ({
    accountNo: ACCOUNT_NO,
    linkNo: index + 1,
    createdMs: START_MS,
    channel: (["social", "newsletter", "website", "advertising", "print"] as const)[index % 5] ?? "website",
    utm:
      index % 3 === 0 ? {} : { utm_source: "newsletter", utm_medium: "email", utm_campaign: `spring-${index % 200}` },
  }));
  let batch = "";
  let lines = 0;
  for (const chunk of clickLines({ targets, clicks, fromMs: START_MS, toMs: END_MS, seed: 5 })) {
    batch += chunk.lines;
    lines += chunk.clicks + chunk.botHits;
    if (lines < BATCH_LINES) continue;
    yield batch;
    batch = "";
    lines = 0;
  }
  if (batch !== "") yield batch;
}

function openRows(path: string): Database {
  const database = new Database(path);
  database.run("pragma journal_mode = off");
  database.run("pragma synchronous = off");
  database.run("pragma cache_size = -500000");
  database.run(`create table clicks (${COLUMNS.map((name) => `${name} ${name === "source" ? "text" : "integer"}`)})`);
  return database;
}

function insertRows(database: Database, batch: string): void {
  const place = `(${COLUMNS.map(() => "?").join(", ")})`;
  const insert = database.prepare(`insert into clicks values ${Array(ROWS_PER_STATEMENT).fill(place).join(", ")}`);
  const single = database.prepare(`insert into clicks values ${place}`);
  const lines = batch.split("\n").slice(0, -1);
  database.transaction(() => {
    for (let start = 0; start < lines.length; start += ROWS_PER_STATEMENT) {
      const rows = lines.slice(start, start + ROWS_PER_STATEMENT).map(valuesOf);
      if (rows.length === ROWS_PER_STATEMENT) insert.run(...rows.flat());
      else for (const row of rows) single.run(...row);
    }
  })();
  insert.finalize();
  single.finalize();
}

function valuesOf(line: string): (string | number | bigint | null)[] {
  const fields = line.split("\t");
  return FIELDS.map((field) => {
    const value = fields[field] ?? "";
    if (field === 4) return value === "" ? null : BigInt.asIntN(64, BigInt(`0x${value}`));
    return field === 13 ? value : Number(value);
  });
}

const [, , directory = "", clicks = ""] = Bun.argv;
await fill(directory, Number(clicks));
