import { sql } from "kysely";
import { type Records, RecordsUnavailable } from "./records.ts";
import type { Sql } from "./schema.ts";
import { accountMarkSql } from "./sqlite-text-index.ts";

export const TEXT_BATCH = 256;
// Either takes a few milliseconds, in which the event loop stands still, and other requests come in between.
const MERGED_PAGES_MAX = 32;
const PAUSE_MS = 40;

interface TextIndexingOptions extends Pick<Records, "read" | "write"> {
  /** How many new links join it at a time. */
  readonly batch: number;
  readonly onError: (error: unknown) => void;
}

/**
 * New links join the text index in batches. By itself each would be a segment of the index, and to write and merge those
 * would cost more than all the rest of a new link; until then a search looks through the few that are missing.
 */
export function startTextIndexing({ read, write, batch, onError }: TextIndexingOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = Promise.resolve();
  let isStopped = false;
  /** As they were when there was nothing to merge. */
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
      // What is missing is found all the same, and the next commit leads here again.
      if (!(error instanceof RecordsUnavailable)) onError(error);
    }
    timer = undefined;
  };

  return {
    /** To be called after each commit. Those of a turn itself lead to no further one. */
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

/** At most: links that were deleted count as well. */
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

/** FTS5 lists the segments of an index in this row, and writes it anew with each change of them. */
async function readSegments(read: Sql): Promise<string> {
  const { rows } = await sql<{ list: string }>`select hex(block) as list from links_text_data where id = 10`.execute(
    read,
  );
  return rows[0]?.list ?? "";
}

/** Merges segments of the index a little and returns whether there was anything to do. */
export async function mergeSome(tx: Sql): Promise<boolean> {
  const before = await countChanges(tx);
  await sql`insert into links_text (links_text, rank) values ('merge', ${MERGED_PAGES_MAX})`.execute(tx);
  // By the manual of FTS5 the command itself counts as one change.
  return (await countChanges(tx)) - before > 1;
}

async function countChanges(tx: Sql): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(tx);
  return rows[0]?.count ?? 0;
}
