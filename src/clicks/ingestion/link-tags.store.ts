import type { LinkTags } from "#engines/clicks/clicks-engine.ts";
import type { ChangeRange } from "#engines/records/changes.ts";
import type { Sql } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";

interface TagRow {
  readonly account_no: number;
  readonly link_no: number;
  readonly tag: string | null;
}

interface DeletedTags {
  readonly account_no: number;
  readonly link_no: number;
  readonly folded_tags: string;
}

// More than one link may carry.
const ROWS = 2000;

// A new link without tags has none to replace, and most links never get any.
const selectChanged = statement((sql, { after, upTo }: ChangeRange) =>
  sql
    .selectFrom("changes")
    .innerJoin("links", "links.key", "changes.key")
    .leftJoin("link_tags", "link_tags.link_no", "links.no")
    .select(["links.account_no", "links.no as link_no", "link_tags.tag"])
    .distinct()
    .where("changes.seq", ">", after)
    .where("changes.seq", "<=", upTo)
    .where((eb) => eb.or([eb("links.version", ">", 1), eb("link_tags.tag", "is not", null)]))
    .orderBy("links.no"),
);

const selectChangedTrash = statement((sql, { after, upTo }: ChangeRange) =>
  sql
    .selectFrom("changes")
    .innerJoin("deleted_links", "deleted_links.key", "changes.key")
    .select(["deleted_links.account_no", "deleted_links.no as link_no", "deleted_links.folded_tags"])
    .distinct()
    .where("changes.seq", ">", after)
    .where("changes.seq", "<=", upTo),
);

const selectAll = statement((sql, { after, most }: { after: number; most: number }) =>
  sql
    .selectFrom("link_tags")
    .select(["account_no", "link_no", "tag"])
    .where("link_no", ">", after)
    .orderBy("link_no")
    .limit(most),
);

const selectTrash = statement((sql, { after, most }: { after: number; most: number }) =>
  sql
    .selectFrom("deleted_links")
    .select(["account_no", "no as link_no", "folded_tags"])
    .where("no", ">", after)
    .orderBy("no")
    .limit(most),
);

/**
 * The current tags of the links in these changes, also in the trash: those may have got others right before. Links that
 * are erased are left out.
 */
export async function readTagsOfChanged(sql: Sql, changes: ChangeRange): Promise<readonly LinkTags[]> {
  const live = groupByLink(await selectChanged(sql, changes));
  // After the others, so that one deleted meanwhile isn't missed.
  const deleted = (await selectChangedTrash(sql, changes)).map(toTagsOfDeleted);
  const found = new Map([...live, ...deleted].map((link) => [link.linkNo, link]));
  return [...found.values()];
}

/** Every link with tags, also in the trash, some at a time; throws when `stopping` aborts. */
export async function* readAllTags(
  sql: Sql,
  stopping: AbortSignal,
): AsyncGenerator<readonly LinkTags[], void, undefined> {
  yield* readLive(sql, stopping);
  // After the others, so that one deleted meanwhile isn't missed. One restored meanwhile is among the next changes.
  yield* readTrash(sql, stopping);
}

async function* readLive(sql: Sql, stopping: AbortSignal): AsyncGenerator<readonly LinkTags[], void, undefined> {
  for (let after = 0; ; ) {
    stopping.throwIfAborted();
    const rows = await selectAll(sql, { after, most: ROWS });
    const last = rows.at(-1);
    if (!last) return;
    // The rows of the last link may go on behind the limit.
    const isEnd = rows.length < ROWS;
    const whole = isEnd ? rows : rows.filter(({ link_no }) => link_no !== last.link_no);
    yield groupByLink(whole);
    if (isEnd) return;
    after = whole.at(-1)?.link_no ?? after;
  }
}

async function* readTrash(sql: Sql, stopping: AbortSignal): AsyncGenerator<readonly LinkTags[], void, undefined> {
  for (let after = 0; ; ) {
    stopping.throwIfAborted();
    const rows = await selectTrash(sql, { after, most: ROWS });
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(toTagsOfDeleted).filter(({ tags }) => tags.length > 0);
    after = last.link_no;
  }
}

const toTagsOfDeleted = ({ account_no, link_no, folded_tags }: DeletedTags): LinkTags => ({
  accountNo: account_no,
  linkNo: link_no,
  tags: JSON.parse(folded_tags) as string[],
});

function groupByLink(rows: readonly TagRow[]): LinkTags[] {
  const links = new Map<number, { accountNo: number; linkNo: number; tags: string[] }>();
  for (const { account_no, link_no, tag } of rows) {
    const link = links.get(link_no) ?? { accountNo: account_no, linkNo: link_no, tags: [] };
    if (tag !== null) link.tags.push(tag);
    links.set(link_no, link);
  }
  return [...links.values()];
}
