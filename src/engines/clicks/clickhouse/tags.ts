import type { LinkTags } from "../clicks-engine.ts";
import type { ErasedNumbers } from "./erased.ts";
import { CURRENT_TAGS } from "./report/conditions.ts";
import { type ClickHouseSession, int, REWRITE_TIMEOUT_MS } from "./session.ts";

/** Not a real account: its row stores the position of the tags. */
const POSITION_NO = 0;

const positionRow: LinkTags = { accountNo: POSITION_NO, linkNo: 0, tags: [] };

interface TagsTo {
  readonly session: ClickHouseSession;
  /** Skipped: their tags may have been read before the erasure. */
  readonly erased: ErasedNumbers;
}

/** One insert, so tags and position are stored together or not at all. */
export async function storeLinkTags(to: TagsTo, changes: readonly LinkTags[], position: number): Promise<void> {
  await insertTags(to, await findGeneration(to.session), position, [...changes, positionRow]);
}

/** Writes all tags beside the current ones; they count from the moment their generation is noted. */
export async function replaceAllLinkTags(
  to: TagsTo,
  batches: AsyncIterable<readonly LinkTags[]>,
  position: number,
): Promise<void> {
  const current = await findGeneration(to.session);
  const generation = Math.max(current + 1, Date.now() * 2048 + Math.floor(Math.random() * 2048));
  for await (const batch of batches) {
    if (batch.length > 0) await insertTags(to, generation, position, batch);
  }
  await insertTags(to, generation, position, [positionRow]);
  await to.session.run(`insert into tag_generations values (${int(generation)})`);
}

async function findGeneration(session: ClickHouseSession): Promise<number> {
  const [row] = await session.rows("select max(generation) from tag_generations");
  return Number(row?.[0]);
}

async function insertTags(
  { session, erased }: TagsTo,
  generation: number,
  position: number,
  changes: readonly LinkTags[],
): Promise<void> {
  const { isErased } = await erased.look(async () => changes);
  const rows = changes
    .filter(({ accountNo, linkNo }) => !isErased?.(accountNo, linkNo))
    .map(({ accountNo, linkNo, tags }) => [generation, position, accountNo, linkNo, tags]);
  if (rows.length > 0) await session.insertRows("link_tags (generation, position, account_no, link_no, tags)", rows);
}

export async function findLinkTagsPosition(session: ClickHouseSession): Promise<number> {
  const [row] = await session.rows(
    `select count() = 0 ? -1 : max(position) from link_tags where ${CURRENT_TAGS} and account_no = ${POSITION_NO}`,
  );
  return Number(row?.[0]);
}

/** Deletes tags that no longer count. */
export async function compactLinkTags(session: ClickHouseSession): Promise<void> {
  const current = int(await findGeneration(session));
  const [old] = await session.rows(`select count() from link_tags where generation < ${current}`);
  const options = { timeoutMs: REWRITE_TIMEOUT_MS };
  if (Number(old?.[0]) > 0) await session.run(`delete from link_tags where generation < ${current}`, options);
  for (let chunk = 0; chunk < CHUNKS_MAX; chunk += 1) {
    // Not asked for by the deletion itself, which copied tables don't allow.
    const outdated = await session.rows(
      `select account_no, link_no, arrayJoin(arraySlice(arrayReverseSort(groupUniqArray(position)), 2)) as old
      from link_tags where generation = ${current} group by account_no, link_no limit ${STATEMENT_ROWS_MAX}`,
    );
    if (outdated.length === 0) return;
    const list = outdated.map((row) => `(${row.map((cell) => int(Number(cell))).join(", ")})`).join(", ");
    await session.run(
      `delete from link_tags where generation = ${current} and (account_no, link_no, position) in (${list})`,
      options,
    );
  }
}

const STATEMENT_ROWS_MAX = 5000;
/** The rest is left to the next time. */
const CHUNKS_MAX = 20;
