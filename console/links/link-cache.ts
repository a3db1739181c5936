import { type InfiniteData, type QueryClient, skipToken, useQuery } from "@tanstack/react-query";
import { useWorkspace } from "#console/api/session.tsx";
import type { Link, LinkPage } from "#contract/link-record.ts";
import { isFiltered, type LinkFilter } from "./link-list-search.ts";

type Pages = InfiniteData<LinkPage, string | null>;
type LinksById = ReadonlyMap<string, Link>;

const none: LinksById = new Map();

const listsKey = (accountId: string) => ["links", accountId] as const;
const newestKey = (accountId: string) => ["newest-links", accountId] as const;
export const listKey = (accountId: string, filter: LinkFilter, createdAfter?: string) =>
  [...listsKey(accountId), filter, createdAfter] as const;
export const countKey = (accountId: string) => ["link-count", accountId] as const;
export const linkKey = (accountId: string, id: string) => ["link", accountId, id] as const;

/** Links as this page has changed them; a list that was asked for before still tells of them as they were. */
export function useNewestLinks(): LinksById {
  const { account } = useWorkspace();
  const { data = none } = useQuery<LinksById>({ queryKey: newestKey(account.id), queryFn: skipToken });
  return data;
}

/** Shows a link as it is now, wherever it stands. */
export function putLink(client: QueryClient, accountId: string, link: Link): void {
  client.setQueryData(linkKey(accountId, link.id), link);
  putLinks(client, accountId, [link]);
}

/** The same for many, of which most have never been opened. */
export function putLinks(client: QueryClient, accountId: string, links: readonly Link[]): void {
  for (const link of links) {
    const key = linkKey(accountId, link.id);
    if (client.getQueryState(key)) client.setQueryData(key, link);
  }
  client.setQueryData<LinksById>(newestKey(accountId), (before) => {
    const newest = new Map(before);
    for (const link of links) newest.set(link.id, link);
    return newest;
  });
}

const COUNT_AGAIN_MS = 300;
let countTimer: ReturnType<typeof setTimeout> | undefined;

/** Counts again once no more changes follow: hundreds may, and each would ask for itself. */
export function refreshCounts(client: QueryClient, accountId: string): void {
  clearTimeout(countTimer);
  countTimer = setTimeout(() => void client.invalidateQueries({ queryKey: countKey(accountId) }), COUNT_AGAIN_MS);
}

/** What became of links: another state, other tags or texts, or nothing is left of them. */
type Fate = "moved" | "edited" | "gone";

/**
 * Links that were changed may belong to lists that do not hold all of them: these are read again. Those that are gone
 * leave every list. A state is judged here (`isShown`); tags and texts are by the server, so lists that go by them are
 * read again even if they hold all of them.
 */
export function refreshLists(client: QueryClient, accountId: string, ids: readonly string[], fate: Fate): void {
  refreshCounts(client, accountId);
  void client.invalidateQueries({
    queryKey: listsKey(accountId),
    predicate: ({ queryKey, state }) => {
      const { q, tag } = queryKey[2] as LinkFilter;
      if (fate === "gone" || (fate === "edited" && (q ?? tag) !== undefined)) return true;
      const held = new Set(linksOf(state.data as Pages | undefined).map(({ id }) => id));
      return !ids.every((id) => held.has(id));
    },
  });
}

/** Links that are erased leave everything that shows them. */
export function dropLinks(client: QueryClient, accountId: string, ids: readonly string[]): void {
  const gone = new Set(ids);
  for (const id of ids) client.removeQueries({ queryKey: linkKey(accountId, id) });
  client.setQueriesData<Pages>({ queryKey: listsKey(accountId) }, (lists) => lists && without(lists, gone));
  refreshLists(client, accountId, ids, "gone");
}

const without = (lists: Pages, gone: ReadonlySet<string>): Pages => ({
  ...lists,
  pages: lists.pages.map((page) => ({ ...page, data: page.data.filter(({ id }) => !gone.has(id)) })),
});

/** Shows a new link at the top of the plain list; lists that it may or may not belong to are read again. */
export function addLink(client: QueryClient, accountId: string, link: Link): void {
  client.setQueryData(linkKey(accountId, link.id), link);
  refreshCounts(client, accountId);
  for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: listsKey(accountId) })) {
    const filter = queryKey[2] as LinkFilter;
    const isPlain = !isFiltered(filter) && filter.sort === undefined;
    if (isPlain) client.setQueryData<Pages>(queryKey, (lists) => lists && withFirst(lists, link));
    // What is being read now may have been asked for before the link was there.
    if (!isPlain || state.fetchStatus === "fetching") void client.invalidateQueries({ queryKey, exact: true });
  }
}

const withFirst = (lists: Pages, link: Link): Pages => ({
  ...lists,
  pages: lists.pages.map((page, index) => (index === 0 ? { ...page, data: [link, ...page.data] } : page)),
});

const linksOf = (lists: Pages | undefined): readonly Link[] => lists?.pages.flatMap((page) => page.data) ?? [];

/** The link as the page knows it already. */
export function findLink(client: QueryClient, accountId: string, id: string): Link | undefined {
  const known = client.getQueryData<Link>(linkKey(accountId, id));
  return known ?? listedLinks(client, accountId).find((link) => link.id === id);
}

/** The links of all lists that were shown; some may be there twice. */
export function listedLinks(client: QueryClient, accountId: string): readonly Link[] {
  const lists = client.getQueriesData<Pages>({ queryKey: listsKey(accountId) });
  return lists.flatMap(([, pages]) => linksOf(pages));
}
