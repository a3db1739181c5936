import { appendAudit } from "#audit/audit.service.ts";
import type { ArchivedTag } from "#contract/account-archive.ts";
import type { Tag, TagColor, TagPage, TagPatch, TagQuery } from "#contract/tags.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError, notFound } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { queueOf } from "./account-queue.ts";
import { linkChange } from "./change-link.ts";
import { LargeAnswers } from "./large-answers.ts";
import { linkChecks } from "./link-checks.ts";
import type { LinkDeps } from "./link-deps.ts";
import { foldCase } from "./link-fields.ts";
import { changeSomeLinks } from "./retag-links.ts";

import {
  findColors,
  findUsedTag,
  forgetTag,
  insertTagChange,
  isTagUsed,
  listColoredTags,
  listDecidedTags,
  listTagChanges,
  listUsedTags,
  saveColor,
  type TagChangeRow,
  type TagRange,
  type TagRow,
} from "./tags.store.ts";
import { linkUpdates } from "./update-link.ts";

/** How long a request waits for its links to change; the rest is done after it. */
const WAIT_MS_MAX = 1000;
// Adding up the clicks of so many links takes some fifty milliseconds, off the event loop; of a million, seconds.
const LINKS_COUNTED_OFTEN_MAX = 20_000;
const KEPT_MS = 30_000;
const COLORS_PAGE = 500;
// More than people could tell apart.
const COLORS_MAX = 1000;

/** Tags of an account's links. Links say which there are; of its own, a tag has a color. */
export function tagService(deps: LinkDeps) {
  const { records, clock } = deps;
  const updates = linkUpdates(deps, linkChange(deps), linkChecks(deps));

  const counts = new LargeAnswers<readonly TagRow[]>({
    isLarge: (rows) => rows.reduce((sum, { links }) => sum + links, 0) > LINKS_COUNTED_OFTEN_MAX,
    keptMs: KEPT_MS,
  });

  const listUsed = (range: TagRange): Promise<readonly TagRow[]> =>
    counts.find(range.accountNo, JSON.stringify(range), () => listUsedTags(records.scan, range));

  const findUsed = (accountNo: number, tag: string): Promise<readonly TagRow[]> =>
    counts.find(accountNo, tag, async () => {
      const found = await findUsedTag(records.scan, accountNo, tag);
      return found ? [found] : [];
    });

  const describe = async (accountNo: number, tags: readonly string[], used: readonly TagRow[]): Promise<Tag[]> => {
    const colors = tags.length === 0 ? [] : await findColors(records.read, accountNo, tags);
    const colorByTag = new Map(colors.map(({ tag, color }) => [tag, color as TagColor | null]));
    const rowByTag = new Map(used.map((row) => [row.tag, row]));
    const pending = new Set((await listTagChanges(records.read, accountNo)).flatMap(tagsOf));
    return tags.map((tag) => ({
      name: tag,
      color: colorByTag.get(tag) ?? null,
      link_count: rowByTag.get(tag)?.links ?? 0,
      click_count: rowByTag.get(tag)?.clicks ?? 0,
      pending: pending.has(tag),
    }));
  };

  /** As it would be, if there is no such tag. */
  const describeOne = async ({ accountNo }: Caller, name: string): Promise<Tag> => {
    const tag = foldCase(name);
    const [described] = await describe(accountNo, [tag], await findUsed(accountNo, tag));
    return described as Tag;
  };

  /** One with a color stays without links. */
  const isThere = async (tx: Sql, accountNo: number, tag: string): Promise<boolean> =>
    (await isTagUsed(tx, accountNo, tag)) || (await colorOf(tx, accountNo, tag)) !== null;

  const assertExists = async (tx: Sql, accountNo: number, tag: string): Promise<void> => {
    if (!(await isThere(tx, accountNo, tag))) throw notFound();
  };

  const assertIdle = async (tx: Sql, accountNo: number, tags: readonly string[]): Promise<void> => {
    const busy = (await listTagChanges(tx, accountNo)).flatMap(tagsOf).find((tag) => tags.includes(tag));
    if (busy === undefined) return;
    const message = `Links are still being moved to or from the tag "${busy}". Try again when it isn't pending any more.`;
    throw new ApiError("tag_busy", message, { tag: busy });
  };

  const assertMayBecome = async (tx: Sql, accountNo: number, name: string, merge: boolean): Promise<void> => {
    const tag = foldCase(name);
    if (merge) return;
    if (await isThere(tx, accountNo, tag)) {
      throw new ApiError("tag_exists", `There is a tag "${tag}" already; set merge to merge this one into it.`, {
        tag,
      });
    }
  };

  /** The color goes along, unless the other tag has one. */
  const moveColor = async (tx: Sql, accountNo: number, from: string, to: string): Promise<void> => {
    const colors = new Map((await findColors(tx, accountNo, [from, to])).map(({ tag, color }) => [tag, color]));
    await forgetTag(tx, accountNo, from);
    const color = colors.get(to) ?? colors.get(from) ?? null;
    if (color !== null) await saveColor(tx, accountNo, { tag: to, color });
  };

  const start = async (tx: Sql, caller: Caller, tag: string, name: string | null): Promise<void> => {
    const { accountNo, actor, via } = caller;
    const at = clock();
    await insertTagChange(tx, { account_no: accountNo, tag, name, actor, via, started_at: at, after_no: 0 });
    const action = name === null ? "tag.deleted" : "tag.renamed";
    const details = name === null ? {} : { name };
    await appendAudit(tx, { at, accountNo, actor, action, subject: tag, details });
  };

  const rename = async (tx: Sql, caller: Caller, tag: string, { name, merge }: TagPatch & { name: string }) => {
    const { accountNo } = caller;
    const target = foldCase(name);
    await assertIdle(tx, accountNo, [tag, target]);
    if (target !== tag) {
      await assertMayBecome(tx, accountNo, name, merge === true);
      await moveColor(tx, accountNo, tag, target);
    }
    await start(tx, caller, tag, name);
  };

  const paint = async (tx: Sql, { accountNo, actor }: Caller, tag: string, color: TagColor | null) => {
    if ((await colorOf(tx, accountNo, tag)) === color) return;
    await saveColor(tx, accountNo, { tag, color });
    await appendAudit(tx, { at: clock(), accountNo, actor, action: "tag.colored", subject: tag, details: { color } });
  };

  /** Changes some links, and returns whether there are more. */
  const continueChange = async (caller: Caller, change: Pick<TagChangeRow, "account_no" | "tag">): Promise<boolean> => {
    const hasMore = await records.write(
      (tx) => changeSomeLinks(tx, { caller, change, updates, now: clock() }),
      queueOf(caller),
    );
    if (!hasMore) counts.forget(caller.accountNo);
    return hasMore;
  };

  /** What most changes need, so that their caller sees the result. */
  const finishSoon = async (caller: Caller, tag: string): Promise<void> => {
    const until = performance.now() + WAIT_MS_MAX;
    const change = { account_no: caller.accountNo, tag };
    while (performance.now() < until && (await continueChange(caller, change))) await Bun.sleep(1);
    counts.forget(caller.accountNo);
  };

  return {
    /** Tags that the account decided something about. */
    async *colors(accountNo: number): AsyncGenerator<ArchivedTag[]> {
      for (let after = ""; ; ) {
        const rows = await listDecidedTags(records.read, { accountNo, text: "", after, most: COLORS_PAGE });
        yield rows.map(({ tag, color }) => ({ name: tag, color: color as TagColor | null }));
        after = rows.at(-1)?.tag ?? "";
        if (rows.length < COLORS_PAGE) return;
      }
    },

    /** Colors a tag that nobody here has decided about. */
    addColor: (caller: Caller, { name, color }: ArchivedTag): Promise<void> =>
      records.write(async (tx) => {
        const tag = foldCase(name);
        if ((await findColors(tx, caller.accountNo, [tag])).length > 0) return;
        if (color === null) await saveColor(tx, caller.accountNo, { tag, color });
        else await paint(tx, caller, tag, color);
      }),

    async list({ accountNo }: Caller, { limit, cursor, q }: TagQuery): Promise<TagPage> {
      const range = { accountNo, text: foldCase(q ?? ""), after: cursor ?? "", most: limit + 1 };
      const [used, colored] = await Promise.all([listUsed(range), listColoredTags(records.read, range)]);
      const names = new Set([...used, ...colored].map(({ tag }) => tag));
      const sorted = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const page = sorted.slice(0, limit);
      const hasMore = sorted.length > limit;
      return {
        data: await describe(accountNo, page, used),
        has_more: hasMore,
        next_cursor: hasMore ? (page.at(-1) ?? null) : null,
      };
    },

    async get(caller: Caller, name: string): Promise<Tag> {
      const tag = await describeOne(caller, name);
      if (tag.link_count === 0 && tag.color === null) throw notFound();
      return tag;
    },

    async chosenColors({ accountNo }: Caller): Promise<{ tag: string; color: TagColor }[]> {
      const rows = await listColoredTags(records.read, { accountNo, text: "", after: "", most: COLORS_MAX });
      return rows.map(({ tag, color }) => ({ tag, color: color as TagColor }));
    },

    async update(caller: Caller, name: string, patch: TagPatch): Promise<Tag> {
      const tag = foldCase(name);
      const { name: newName, color } = patch;
      const renamed = newName === undefined ? null : { ...patch, name: newName };
      await records.write(async (tx) => {
        await assertExists(tx, caller.accountNo, tag);
        if (renamed) await rename(tx, caller, tag, renamed);
        if (color !== undefined) await paint(tx, caller, renamed ? foldCase(renamed.name) : tag, color);
      }, queueOf(caller));
      if (renamed) await finishSoon(caller, tag);
      return describeOne(caller, renamed?.name ?? tag);
    },

    async delete(caller: Caller, name: string): Promise<undefined> {
      const tag = foldCase(name);
      await records.write(async (tx) => {
        await assertExists(tx, caller.accountNo, tag);
        await assertIdle(tx, caller.accountNo, [tag]);
        await forgetTag(tx, caller.accountNo, tag);
        await start(tx, caller, tag, null);
      }, queueOf(caller));
      await finishSoon(caller, tag);
      return undefined;
    },

    continueChange,
  };
}
export type TagService = ReturnType<typeof tagService>;

async function colorOf(sql: Sql, accountNo: number, tag: string): Promise<string | null> {
  const [decided] = await findColors(sql, accountNo, [tag]);
  return decided?.color ?? null;
}

/** Both ends of a change. */
const tagsOf = ({ tag, name }: Pick<TagChangeRow, "tag" | "name">): string[] =>
  name === null ? [tag] : [tag, foldCase(name)];
