import type pg from "pg";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { sqlStateOf } from "../postgres/errors.ts";
import type { MovedTable, MoveTarget } from "./records-move.ts";

/** Remembers, in the database itself, what was moved there last. Only databases that were moved to have it. */
const LAST_MOVE = `
create table if not exists last_move (
  installation text not null,
  moved_at bigint not null,
  -- Rows by table, as JSON.
  rows text not null,
  -- The transaction that wrote them: rows of any other were written since.
  transaction text not null
)`;

const LOCK = 7_813_490_518_426_110n;
const LOCK_TRIES = 40;
const LOCK_RETRY_MS = 250;
const LEAVING_TRIES = 12;
const NO_LOCK = "55P03";

interface LastMove {
  readonly installation: string;
  readonly rows: Readonly<Record<string, number>>;
  readonly transaction: string;
}

export const quote = (name: string): string => `"${name}"`;

/** The database, as an operator knows it; its password is left out. */
export const nameOf = ({ host, port, database }: pg.Client): string =>
  `PostgreSQL at ${host}:${port}, database "${database}"`;

/** For a moment after a move was killed, the server may still be busy with its transaction. */
export async function lockMoves(client: pg.Client): Promise<void> {
  for (let tries = 1; tries <= LOCK_TRIES; tries += 1) {
    const { rows } = await client.query("select pg_try_advisory_xact_lock($1) as taken", [LOCK]);
    if (rows[0].taken) return;
    await Bun.sleep(LOCK_RETRY_MS);
  }
  throw new OperatorMistake(
    `another move to ${nameOf(client)} is running; wait until it is done, or end its connection on the server`,
  );
}

/**
 * A node must not find other rows than it remembers. It has connections all the time, which the server may still list for
 * a moment after the node has stopped.
 */
export async function refuseNodes(client: pg.Client, ownName: string): Promise<void> {
  for (let tries = 1; tries <= LEAVING_TRIES; tries += 1) {
    if ((await countNodeConnections(client, ownName)) === 0) return;
    await Bun.sleep(LOCK_RETRY_MS);
  }
  throw new OperatorMistake(
    `${nameOf(client)} is in use by a Kurz server or command; stop it before you move, ` +
      "and only start it after the last move",
  );
}

async function countNodeConnections(client: pg.Client, ownName: string): Promise<number> {
  // Within a transaction, the server would repeat its first answer.
  await client.query("select pg_stat_clear_snapshot()");
  const { rows } = await client.query(
    `select count(*)::integer as connections from pg_stat_activity
     where datname = current_database() and application_name like 'kurz%' and application_name <> $1`,
    [ownName],
  );
  return (rows[0] as { connections: number }).connections;
}

/** Waits for others to finish with the tables, but not for long. */
export async function lockTables(client: pg.Client, tables: readonly string[]): Promise<void> {
  try {
    await client.query("set local lock_timeout = '10s'");
    await client.query(`lock table ${tables.map(quote).join(", ")} in access exclusive mode`);
    await client.query("set local lock_timeout = 0");
  } catch (error) {
    if (sqlStateOf(error) !== NO_LOCK) throw error;
    throw new OperatorMistake(`the tables in ${nameOf(client)} are in use; end the other connections`, {
      cause: error,
    });
  }
}

export interface TargetQuestion {
  readonly installation: string;
  readonly tables: readonly string[];
  /** Whether rows that were written since the last move may be replaced. */
  readonly discards: boolean;
}

/** Refuses to replace anything but what an earlier move of the same installation has left. */
export async function findTargetState(client: pg.Client, question: TargetQuestion): Promise<MoveTarget["state"]> {
  const { installation, discards } = question;
  // A node that was started there once has left its key's fingerprint, which says nothing about data.
  const tables = question.tables.filter((name) => name !== "secret_key");
  const last = await findLastMove(client);
  if (!last) {
    const used = await findFirst(tables, async (name) => (await countRows(client, name)).rows > 0);
    if (used === undefined) return "empty";
    throw new OperatorMistake(
      `${nameOf(client)} already has data (in the table ${used}) that didn't get there by a move; use an empty database`,
    );
  }
  if (last.installation !== installation) {
    throw new OperatorMistake(`${nameOf(client)} has the data of another installation; use an empty database`);
  }
  if (discards) return "moved before";
  const changed = await findFirst(tables, async (name) => {
    const { rows, ofMove } = await countRows(client, name, last.transaction);
    return rows !== ofMove || rows !== (last.rows[name] ?? 0);
  });
  if (changed === undefined) return "moved before";
  throw new OperatorMistake(
    `${nameOf(client)} was changed since the last move (in the table ${changed}), and another move would discard that; ` +
      "if that is what you want, add --discard",
  );
}

async function findLastMove(client: pg.Client): Promise<LastMove | undefined> {
  const { rows: tables } = await client.query("select to_regclass('last_move') is not null as exists");
  if (!tables[0].exists) return undefined;
  const { rows } = await client.query("select installation, rows, transaction from last_move");
  const [row] = rows as { installation: string; rows: string; transaction: string }[];
  return row && { ...row, rows: JSON.parse(row.rows) };
}

interface Counts {
  readonly rows: number;
  readonly ofMove: number;
}

/** A table that only the newest schema has may be missing while nothing is changed. */
async function countRows(client: pg.Client, table: string, transaction = "0"): Promise<Counts> {
  const { rows: found } = await client.query("select to_regclass($1) is not null as exists", [table]);
  if (!found[0].exists) return { rows: 0, ofMove: 0 };
  const { rows } = await client.query(
    `select count(*)::float8 as rows, (count(*) filter (where xmin::text = $1))::float8 as "ofMove" from ${quote(table)}`,
    [transaction],
  );
  return rows[0];
}

/** Becomes true with the commit, like everything else. */
export async function noteMove(client: pg.Client, installation: string, tables: readonly MovedTable[]): Promise<void> {
  await client.query(LAST_MOVE);
  await client.query("delete from last_move");
  await client.query(
    "insert into last_move (installation, moved_at, rows, transaction) values ($1, $2, $3, pg_current_xact_id()::xid::text)",
    [installation, Date.now(), JSON.stringify(Object.fromEntries(tables.map(({ name, rows }) => [name, rows])))],
  );
}

async function findFirst<T>(items: readonly T[], isIt: (item: T) => Promise<boolean>): Promise<T | undefined> {
  for (const item of items) if (await isIt(item)) return item;
  return undefined;
}
