import { sql } from "kysely";
import { type Records, RecordsUnavailable } from "../records.ts";
import type { Sql } from "../schema.ts";
import { accountMarkSql } from "./text-index.ts";

export const TEXT_BATCH = 256;
// Each takes a few milliseconds during which the event loop is blocked; other requests run in between.
const MERGED_PAGES_MAX = 32;
const PAUSE_MS = 40;

interface TextIndexingOptions extends Pick<Records, "read" | "write"> {
  /** How many new links to add at a time. */
  readonly batch: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Adds new links to the text index in batches. Indexing each link by itself would create a segment, and writing and
 * merging segments costs more than the rest of creating a link. Searches scan the few that aren't indexed yet.
 * It is no `startLoop`: commits start it, and without them it rests for good.
 */
export function startTextIndexing({ read, write, batch, onError }: TextIndexingOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = Promise.resolve();
  let isStopped = false;
  /** The segments when there was last nothing to merge. */
  let settledSegments: string | undefined;

  const plan = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = turn();
    }, PAUSE_MS);
    timer.unref();
  };

  const turn = async (): Promise<void> => {
    try {
      const isBatchDue = (await countMissing(read)) >= batch;
      if (isBatchDue) await write((tx) => indexNext(tx, batch));
      const segments = await readSegments(read);
      const hasMerged = segments !== settledSegments && (await write(mergeSome));
      if (!hasMerged) settledSegments = segments;
      if (isBatchDue || hasMerged) return plan();
    } catch (error) {
      // Missing links are still found, and the next commit retries.
      if (!(error instanceof RecordsUnavailable)) onError(error);
    }
    timer = undefined;
  };

  return {
    /** Call after each commit. Its own commits don't trigger another run. */
    wake(): void {
      if (timer === undefined) plan();
    },
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** An upper bound: deleted links count too. */
async function countMissing(read: Sql): Promise<number> {
  const { rows } = await sql<{ missing: number }>`
    select coalesce((select max(no) from links) - link_no, 0) as missing from text_index_reach`.execute(read);
  return rows[0]?.missing ?? 0;
}

async function indexNext(tx: Sql, most: number): Promise<void> {
  const next = sql`select no from links where no > (select link_no from text_index_reach) order by no limit ${most}`;
  const { rows } = await sql<{ last: number | null }>`select max(no) as last from (${next})`.execute(tx);
  const last = rows[0]?.last ?? null;
  if (last === null) return;
  await sql`
    insert into links_text (rowid, account, text)
    select no, ${sql.raw(accountMarkSql("account_no"))}, search_text from links
    where no > (select link_no from text_index_reach) and no <= ${last}`.execute(tx);
  await sql`update text_index_reach set link_no = ${last}`.execute(tx);
}

/** FTS5 lists an index's segments in this row, and updates it whenever they change. */
async function readSegments(read: Sql): Promise<string> {
  const { rows } = await sql<{ list: string }>`select hex(block) as list from links_text_data where id = 10`.execute(
    read,
  );
  return rows[0]?.list ?? "";
}

/** Merges some index segments, and returns whether there was anything to do. */
export async function mergeSome(tx: Sql): Promise<boolean> {
  const before = await countChanges(tx);
  await sql`insert into links_text (links_text, rank) values ('merge', ${MERGED_PAGES_MAX})`.execute(tx);
  // According to the FTS5 manual, the command itself counts as one change.
  return (await countChanges(tx)) - before > 1;
}

async function countChanges(tx: Sql): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(tx);
  return rows[0]?.count ?? 0;
}
