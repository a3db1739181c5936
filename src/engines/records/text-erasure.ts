import { sql } from "kysely";
import type { Records } from "./records.ts";
import type { Sql } from "./schema.ts";
import { mergeSome } from "./text-indexing.ts";

// As many as new segments are merged at a time, with a pause that leaves most of the time to other writers.
const PAGES_MAX = 32;
const PAUSE_MS = 10;
// FTS5 keeps the numbers of deleted entries in pages of their own, from this number on (`FTS5_TOMBSTONE_ROWID`).
const FIRST_TOMBSTONE_PAGE = 2 ** 53;

/**
 * Drops what the text index still holds of links that were deleted before: a deletion only notes their numbers, and
 * their trigrams stay until a merge. Goes through the whole index, a little at a time.
 */
export async function forgetDeletedText({ read, write }: Pick<Records, "read" | "write">, stopping: AbortSignal) {
  if (!(await hasDeletedText(read))) return;
  await write((tx) => beginMergeOfAll(tx));
  while (!stopping.aborted && (await write(mergeSome))) await Bun.sleep(PAUSE_MS);
}

async function hasDeletedText(read: Sql): Promise<boolean> {
  const { rows } = await sql`select 1 from links_text_data where id >= ${FIRST_TOMBSTONE_PAGE} limit 1`.execute(read);
  return rows.length > 0;
}

/** By the manual of FTS5 a negative number of pages has all segments merged into one, and further merges go on with it. */
const beginMergeOfAll = (tx: Sql) =>
  sql`insert into links_text (links_text, rank) values ('merge', ${-PAGES_MAX})`.execute(tx);
