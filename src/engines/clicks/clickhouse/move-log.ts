import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { ClicksUnavailable } from "../clicks-engine.ts";
import type { ClicksMoveTarget } from "../move/clicks-move.ts";
import { type Layout, syncReplica } from "./layout.ts";
import { findOwner, isUnknownDatabase } from "./schema.ts";
import { type ClickHouseSession, int } from "./session.ts";

export interface LastMove {
  readonly no: number;
  readonly isFinished: boolean;
}

export async function findLastMove(session: ClickHouseSession): Promise<LastMove | null> {
  const [row] = await session.rows(
    "select no, max(state) = 'finished' from moves group by no order by no desc limit 1",
  );
  return row === undefined ? null : { no: Number(row[0]), isFinished: Boolean(row[1]) };
}

/** Until a move has ended well, the tables have a part of the clicks only: no node may count them or add to them. */
export async function refuseUnfinishedMove(session: ClickHouseSession, layout: Layout): Promise<void> {
  await syncReplica(session, layout, ["moves"]);
  const last = await findLastMove(session);
  if (last === null || last.isFinished) return;
  throw new ClicksUnavailable(
    "clicks are being moved into the ClickHouse database, or a move was interrupted: wait for kurz move, or run it again",
  );
}

/** Greater than every number in the database, and newer nodes' numbers are greater still. */
export async function nextMoveNo(session: ClickHouseSession): Promise<number> {
  const [row] = await session.rows(`
    select greatest((select max(no) from moves), (select max(batch) from batches),
      (select max(generation) from tag_generations), (select max(run) from compactions),
      (select max(batch) from imported_batches))`);
  return Math.max(Date.now() * 2048, Number(row?.[0]) + 1);
}

/** Rows of a batch that was given up, such as by a move that discarded them, may still be there. */
const IS_KEPT = "(node, batch) not in (select node, batch from batches where state in ('aborted', 'removed'))";

/** What a node writes sooner or later. Each row has a number of its own, and those of a move have the move's. */
const numbered = [
  { table: "batches", number: "batch", where: IS_KEPT },
  { table: "clicks", number: "batch", where: IS_KEPT },
  { table: "compactions", number: "run", where: "true" },
  { table: "tag_generations", number: "generation", where: "true" },
  { table: "imported_batches", number: "batch", where: "true" },
] as const;

const tables = [
  ...["clicks", "expiring_clicks", "batches", "compacted_clicks", "compactions", "link_tags", "tag_generations"],
  ...["erased_links", "erased_accounts", "imported_batches"],
];

interface TargetQuestion {
  readonly name: string;
  readonly installation: string;
  readonly discards: boolean;
  /** Whose clicks would replace those of the last move; `null` if that isn't known yet. */
  readonly node: string | null;
}

/** Refuses to replace anything but what an earlier move of the same installation has left. */
export async function findMoveState(
  session: ClickHouseSession,
  { name, installation, discards, node }: TargetQuestion,
): Promise<ClicksMoveTarget["state"]> {
  const existing = (await listTables(session)) ?? new Set();
  const owner = existing.has("installation") ? await findOwner(session) : undefined;
  if (owner !== undefined && owner !== installation) {
    throw new OperatorMistake(`${name} has the clicks of another installation; use an empty database`);
  }
  const last = existing.has("moves") ? await findLastMove(session) : null;
  if (last === null) {
    const used = await findFirst(tables, async (table) => existing.has(table) && hasRows(session, table, "true"));
    if (used === undefined) return "empty";
    throw new OperatorMistake(
      `${name} already has data (in the table ${used}) that didn't get there by a move; use an empty database`,
    );
  }
  if (discards) return "moved before";
  const mover = node === null ? undefined : await findMover(session, last);
  if (mover !== undefined && mover !== node) {
    throw new OperatorMistake(
      `${name} has the clicks of another data directory, that of the node ${mover}, and clicks of several nodes can't be ` +
        "merged by moving them; if those may go, add --discard",
    );
  }
  const changed =
    (await findFirst(
      numbered,
      async ({ table, number, where }) =>
        existing.has(table) && hasRows(session, table, `${where} and ${number} not in (select no from moves)`),
    )) ?? (await findErasedSince(session, last));
  if (changed === undefined) return "moved before";
  throw new OperatorMistake(
    `${name} was changed since the last move (in the table ${changed.table}), and another move would discard that; ` +
      "if that is what you want, add --discard",
  );
}

/** `null` if there is no database yet. */
export async function listTables(session: ClickHouseSession): Promise<ReadonlySet<string> | null> {
  try {
    const rows = await session.rows("select name from system.tables where database = currentDatabase()");
    return new Set(rows.map(([name]) => String(name)));
  } catch (error) {
    if (error instanceof Error && isUnknownDatabase(error)) return null;
    throw error;
  }
}

/** The node whose clicks were moved; `undefined` if the move was interrupted before it had sent any. */
async function findMover(session: ClickHouseSession, { no }: LastMove): Promise<string | undefined> {
  const [row] = await session.rows(`select node from batches where batch = ${int(no)} limit 1`);
  return row && String(row[0]);
}

/** Erasures have no numbers, only a time. */
const findErasedSince = (session: ClickHouseSession, { no }: LastMove): Promise<{ table: string } | undefined> => {
  const since = `at > (select max(at) from moves where no = ${int(no)} and state = 'finished')`;
  const ended = `(select count() from moves where no = ${int(no)} and state = 'finished') > 0`;
  return findFirst([{ table: "erased_links" }, { table: "erased_accounts" }], ({ table }) =>
    hasRows(session, table, `${since} and ${ended}`),
  );
};

async function hasRows(session: ClickHouseSession, table: string, where: string): Promise<boolean> {
  return (await session.rows(`select 1 from ${table} where ${where} limit 1`)).length > 0;
}

async function findFirst<T>(items: readonly T[], isIt: (item: T) => Promise<boolean>): Promise<T | undefined> {
  for (const item of items) if (await isIt(item)) return item;
  return undefined;
}
