import type pg from "pg";
import { reasonOf } from "#kernel/error-text.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { NEWEST_SCHEMA } from "../newest-schema.ts";
import { connectOnce } from "../postgres/connect.ts";
import { sqlStateOf } from "../postgres/errors.ts";
import { findPostgresSchema } from "../postgres/facts.ts";
import { migratePostgres } from "../postgres/migrate.ts";
import { RecordsUnavailable } from "../records.ts";
import { CopyText } from "./copy-text.ts";
import { dropForLoad } from "./postgres-bulk-load.ts";
import { copyIn, copyOut } from "./postgres-copy.ts";
import { findTargetState, lockMoves, lockTables, nameOf, noteMove, quote, refuseNodes } from "./postgres-target.ts";
import type { MovedRecords, MovedTable, MovePlan, RecordsMove } from "./records-move.ts";
import { openSqliteSource, type RecordsSource, type SourceTable } from "./sqlite-source.ts";

const APPLICATION = "kurz move";
const CHUNK_BYTES = 256 * 1024;
/** Waits for numbers in the target alone: nothing of it is copied, but nothing may be left in it. */
const UNNUMBERED = "unnumbered_changes";

/** Finds out whether a move would work, without changing anything. */
export async function planRecordsMove({ from, to, discards }: RecordsMove): Promise<MovePlan> {
  const source = openSqliteSource(from.path);
  try {
    const tables = source.tables.map((table) => ({ name: table.name, rows: source.count(table) }));
    const isNew = (await findPostgresSchema(to.url)) === undefined;
    return await withClient(to.url, async (client) => {
      await client.query("begin read only");
      await refuseNodes(client, APPLICATION);
      const state = isNew ? "empty" : await findTargetState(client, { ...questionOf(source), discards });
      return { tables, target: { name: nameOf(client), state } };
    });
  } finally {
    source.close();
  }
}

/**
 * Copies all records in one transaction: until it commits, after the comparison of what was read and what is there, the
 * target is as it was before. So a move can be interrupted at any time and repeated any number of times.
 */
export async function moveRecords({ from, to, discards, onProgress }: RecordsMove): Promise<MovedRecords> {
  const source = openSqliteSource(from.path);
  try {
    const { version } = await migratePostgres(to.url);
    return await withClient(to.url, async (client) => {
      if (version !== NEWEST_SCHEMA) throw newerSchema(client, version);
      await begin(client);
      const question = questionOf(source);
      await lockMoves(client);
      await refuseNodes(client, APPLICATION);
      await lockTables(client, question.tables);
      await findTargetState(client, { ...question, discards });
      const moved = await replaceRows(client, source, onProgress);
      await commit(client);
      return moved;
    });
  } finally {
    source.close();
  }
}

const newerSchema = (client: pg.Client, version: number): OperatorMistake =>
  new OperatorMistake(`${nameOf(client)} has schema ${version}, but this version of Kurz uses ${NEWEST_SCHEMA}`);

const questionOf = ({ installation, tables }: RecordsSource): { installation: string; tables: readonly string[] } => ({
  installation,
  tables: [...tables.map(({ name }) => name), UNNUMBERED],
});

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectOnce(url, APPLICATION);
  try {
    return await work(client);
  } catch (error) {
    throw explain(client, error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** A lost connection has no code of the server. */
function explain(client: pg.Client, error: unknown): unknown {
  if (error instanceof OperatorMistake || error instanceof RecordsUnavailable) return error;
  const state = sqlStateOf(error);
  if (state === undefined && !isConnectionError(error)) return error;
  return new OperatorMistake(
    `${nameOf(client)}: ${reasonOf(error)}${state === undefined ? "" : ` (${state})`}; nothing was changed there, move again`,
    { cause: error },
  );
}

const isConnectionError = (error: unknown): boolean =>
  /Connection terminated|not queryable/.test(reasonOf(error)) || (error as { syscall?: unknown }).syscall !== undefined;

async function begin(client: pg.Client): Promise<void> {
  await client.query("begin isolation level read committed");
  // Limits for the server's other users don't suit a transaction that may take an hour. If this machine vanishes, the
  // server must notice.
  await client.query(
    `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '10min';
     set local tcp_keepalives_idle = 30; set local tcp_keepalives_interval = 10; set local tcp_keepalives_count = 3;
     set local bytea_output = 'hex'; set local synchronous_commit = on`,
  );
}

async function commit(client: pg.Client): Promise<void> {
  try {
    await client.query("commit");
  } catch (error) {
    if (sqlStateOf(error) !== undefined) throw error;
    throw new OperatorMistake(
      `the connection to ${nameOf(client)} was lost in the last step, so it may have all records or be as before; move again`,
      { cause: error },
    );
  }
}

type OnProgress = RecordsMove["onProgress"];

async function replaceRows(client: pg.Client, source: RecordsSource, onProgress: OnProgress): Promise<MovedRecords> {
  const { tables } = source;
  await assertSameColumns(client, tables);
  const names = tables.map(({ name }) => name);
  await client.query(`truncate ${[...names, UNNUMBERED].map(quote).join(", ")}`);
  const bringBack = await dropForLoad(client, names);
  const text = new CopyText();
  const sent: MovedTable[] = [];
  for (const table of tables) sent.push(await copyTable(client, source, { table, text, onProgress }));
  onProgress({ step: "indexing", table: "", rows: 0, rowsMax: 0 });
  await bringBack();
  await continueNumbers(client, source);
  await client.query("update migrations set applied_at = $1 where id = (select min(id) from migrations)", [
    source.createdAt,
  ]);
  await client.query(`analyze ${names.map(quote).join(", ")}`);
  for (const [position, table] of tables.entries()) {
    const expected = sent[position] as MovedTable;
    await verifyTable(client, table, { expected, onProgress });
  }
  await noteMove(client, source.installation, sent);
  return { tables: sent, textsWithNul: text.textsWithNul };
}

/** Both engines have the same tables and columns; a difference would be a mistake in a migration. */
async function assertSameColumns(client: pg.Client, tables: readonly SourceTable[]): Promise<void> {
  for (const { name, columns } of tables) {
    const { rows } = await client.query(
      "select attname as name from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped",
      [name],
    );
    const there = rows.map((row: { name: string }) => row.name);
    if (there.length === columns.length && columns.every((column) => there.includes(column))) continue;
    throw new Error(`the table ${name} has other columns there: ${there.join(", ")} instead of ${columns.join(", ")}`);
  }
}

interface TableCopy {
  readonly table: SourceTable;
  readonly text: CopyText;
  readonly onProgress: OnProgress;
}

async function copyTable(client: pg.Client, source: RecordsSource, copy: TableCopy): Promise<MovedTable> {
  const { table, text, onProgress } = copy;
  const { name, columns } = table;
  const rowsMax = source.count(table);
  const hash = new Bun.CryptoHasher("sha256");
  let rows = 0;
  onProgress({ step: "copying", table: name, rows, rowsMax });
  function* chunks(): Generator<Uint8Array> {
    let lines = "";
    const take = (): Uint8Array => {
      const chunk = Buffer.from(lines);
      hash.update(chunk);
      lines = "";
      return chunk;
    };
    for (const page of source.pages(table)) {
      for (const row of page) {
        lines += text.line(row);
        if (lines.length >= CHUNK_BYTES) yield take();
      }
      rows += page.length;
      onProgress({ step: "copying", table: name, rows, rowsMax });
    }
    if (lines !== "") yield take();
  }
  // Rows that are visible to all at once need no further work later: nobody else looks at these tables yet.
  const into = `copy ${quote(name)} (${columns.map(quote).join(", ")}) from stdin with (format text, freeze)`;
  await copyIn(client, into, chunks());
  return { name, rows, sha256: hash.digest("hex") };
}

/** New rows get numbers that no row had before, not even a deleted one. */
async function continueNumbers(client: pg.Client, source: RecordsSource): Promise<void> {
  for (const table of source.tables) {
    const { rows } = await client.query(
      "select attname as name from pg_attribute where attrelid = to_regclass($1) and attidentity <> ''",
      [table.name],
    );
    for (const { name: column } of rows as { name: string }[]) {
      const next = source.nextNumber(table, column);
      await client.query(`alter table ${quote(table.name)} alter column ${quote(column)} restart with ${next}`);
    }
  }
}

interface Verification {
  readonly expected: MovedTable;
  readonly onProgress: OnProgress;
}

/** Reads everything back. */
async function verifyTable(client: pg.Client, table: SourceTable, verification: Verification): Promise<void> {
  const { expected, onProgress } = verification;
  const { name, columns, key } = table;
  const hash = new Bun.CryptoHasher("sha256");
  let rows = 0;
  onProgress({ step: "verifying", table: name, rows, rowsMax: expected.rows });
  // The rows are stored in the order of the key: to walk its index takes less than to sort them.
  await client.query("set local enable_sort = off");
  const query = `select ${columns.map(quote).join(", ")} from ${quote(name)} order by ${key.map(quote).join(", ")}`;
  await copyOut(client, `copy (${query}) to stdout`, (line) => {
    hash.update(line);
    rows += 1;
    if (rows % 10_000 === 0) onProgress({ step: "verifying", table: name, rows, rowsMax: expected.rows });
  });
  if (rows === expected.rows && hash.digest("hex") === expected.sha256) return;
  throw new Error(
    `the table ${name} isn't the same after copying (${expected.rows} rows were sent, ${rows} came back); nothing was changed, please report this`,
  );
}
