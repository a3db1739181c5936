import { Database } from "bun:sqlite";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { parseClick, type TextsOf, textGroups } from "#engines/clicks/click-format.ts";
import { openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { clickLines } from "#sample-data/click-lines.ts";
import { definedTexts } from "./defined-texts.ts";
import { ACCOUNT_NO, CLICKED_LINKS, END_MS, START_MS } from "./prepared-clicks.ts";

const BATCH_LINES = 100_000;
const ROWS_PER_STATEMENT = 500;
const COLUMNS = ["at_ms", "account_no", "link_no", "bot", "visitor", "source"];

/** The same clicks for the engine, in batches like those of ingestion, and as rows for SQLite. */
async function fill(directory: string, clicks: number): Promise<void> {
  const raw = join(directory, "raw.duckdb");
  const engine = openDuckDbClicks({ path: raw, batchDirectory: directory });
  const database = openRows(join(directory, "rows.db"));
  let batches = 0;
  for (const { lines, count, textsOf } of batchesOf(clicks)) {
    batches += 1;
    const part = { segment: "bench", toOffset: batches, lines: Buffer.from(lines), count, textsOf };
    const ingesting = engine.ingest({ parts: [part] });
    insertRows(database, lines);
    await ingesting;
  }
  await engine.close();
  database.run("create index clicks_account_idx on clicks (account_no, at_ms)");
  database.run("create index clicks_link_idx on clicks (link_no, at_ms)");
  database.run("analyze");
  database.close();
  await writePlainTable(raw, join(directory, "plain.duckdb"));
  const summarised = join(directory, "summarised.duckdb");
  copyFileSync(raw, summarised);
  const summing = openDuckDbClicks({ path: summarised, batchDirectory: directory });
  await summing.summarise(END_MS);
  await summing.close();
}

/** The same clicks as one table with all texts, for bare scans. */
async function writePlainTable(raw: string, path: string): Promise<void> {
  const instance = await DuckDBInstance.create(path, { threads: "2", preserve_insertion_order: "true" });
  const connection = await instance.connect();
  await connection.run(`attach '${raw}' as raw (read_only)`);
  const texts = textGroups.flatMap(({ table, texts }) => texts.map(({ name }) => `${table}.${name}`));
  const joins = textGroups.map(({ name, table }) => `join raw.${table} on ${table}.no = c.${name}_no`);
  await connection.run(`create table clicks as
    select c.at_ms, c.account_no, c.link_no, c.bot, c.visitor, case when c.qr then 'qr' else 'link' end as source,
      ${texts.join(", ")} from raw.clicks c ${joins.join(" ")}`);
  connection.closeSync();
  instance.closeSync();
}

interface ClicksBatch {
  readonly lines: string;
  readonly count: number;
  readonly textsOf: TextsOf;
}

function* batchesOf(clicks: number): Generator<ClicksBatch> {
  const targets = Array.from({ length: CLICKED_LINKS }, (_, index) => ({
    accountNo: ACCOUNT_NO,
    linkNo: index + 1,
    createdMs: START_MS,
    channel: (["social", "newsletter", "website", "advertising", "print"] as const)[index % 5] ?? "website",
    utm:
      index % 3 === 0 ? {} : { utm_source: "newsletter", utm_medium: "email", utm_campaign: `spring-${index % 200}` },
  }));
  const { add, textsOf } = definedTexts();
  let lines = "";
  let count = 0;
  for (const chunk of clickLines({ targets, clicks, fromMs: START_MS, toMs: END_MS, seed: 5 })) {
    lines += chunk.lines;
    count += chunk.clicks + chunk.botHits;
    add(chunk.uses);
    if (count < BATCH_LINES) continue;
    yield { lines, count, textsOf };
    lines = "";
    count = 0;
  }
  if (count > 0) yield { lines, count, textsOf };
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
  const { at_ms, account_no, link_no, bot, visitor, source } = parseClick(`${line}\n`, () => undefined);
  const hash = visitor === "" ? null : BigInt.asIntN(64, BigInt(`0x${visitor}`));
  return [at_ms, account_no, link_no, Number(bot), hash, source];
}

const [, , directory = "", clicks = ""] = Bun.argv;
await fill(directory, Number(clicks));
