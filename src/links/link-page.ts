import type { LinkPage } from "#contract/link-record.ts";
import type { LinkQuery } from "#contract/links.ts";
import { validationFailed } from "#kernel/api-error.ts";
import type { CursorCodec } from "./link-cursor.ts";
import { type ListRequest, positionOf } from "./link-list.store.ts";
import { type LinkRow, type ShortOrigin, toLink } from "./link-record.ts";

export const emptyPage: LinkPage = { data: [], has_more: false, next_cursor: null, previous_cursor: null };

/** Where the page is that a query asks for. */
export function placeOf(query: LinkQuery, cursors: CursorCodec): Pick<ListRequest, "from" | "isBackwards"> {
  const { cursor, before } = query;
  if (cursor !== undefined && before !== undefined) {
    const message = "`before` can't be combined with `cursor`.";
    throw validationFailed([{ location: "query", field: "before", code: "invalid_cursor", message }]);
  }
  if (before !== undefined) return { from: cursors.decode(before, query, "before"), isBackwards: true };
  return { from: cursor === undefined ? null : cursors.decode(cursor, query), isBackwards: false };
}

interface PageContext {
  readonly request: ListRequest;
  readonly cursors: CursorCodec;
  readonly origin: ShortOrigin;
}

/** `rows` are as read: one more than the page has, if there are more. */
export function toPage(rows: readonly LinkRow[], { request, cursors, origin }: PageContext): LinkPage {
  const { query, from, isBackwards, now } = request;
  const isCut = rows.length > query.limit;
  const page = rows.slice(0, query.limit);
  if (isBackwards) page.reverse();
  // The link that a cursor stands for is on the other page.
  const hasNext = isBackwards || isCut;
  const hasPrevious = isBackwards ? isCut : from !== null;
  const cursorAt = (row: LinkRow | undefined, isWanted: boolean): string | null =>
    row !== undefined && isWanted ? cursors.encode(positionOf(row, query), query) : null;
  const next = cursorAt(page.at(-1), hasNext);
  return {
    data: page.map((row) => toLink(row, origin, now)),
    has_more: next !== null,
    next_cursor: next,
    previous_cursor: cursorAt(page[0], hasPrevious),
  };
}
