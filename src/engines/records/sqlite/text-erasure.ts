import { sql } from "kysely";
import type { Records } from "../records.ts";
import type { Sql } from "../schema.ts";
import { mergeSome } from "./text-indexing.ts";

// As many pages as for merging new segments, with pauses that leave most of the time to other writers.
const PAGES_MAX = 32;
const PAUSE_MS = 10;
// FTS5 stores tombstones of deleted entries in pages from this id on (`FTS5_TOMBSTONE_ROWID`).
const FIRST_TOMBSTONE_PAGE = 2 ** 53;

/**
 * Removes deleted links from the text index: deleting only adds tombstones, and the trigrams stay until a merge. Merges
 * the whole index, a little at a time.
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

/** According to the FTS5 manual, a negative page count merges all segments into one, and further merges continue it. */
const beginMergeOfAll = (tx: Sql) =>
  sql`insert into links_text (links_text, rank) values ('merge', ${-PAGES_MAX})`.execute(tx);
