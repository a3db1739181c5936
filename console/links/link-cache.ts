import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { Link, LinkPage } from "#contract/link-record.ts";
import { isFiltered, isShown, type LinkFilter } from "./link-list-search.ts";

type Pages = InfiniteData<LinkPage, string | null>;

export const listsKey = (accountId: string) => ["links", accountId] as const;
export const listKey = (accountId: string, filter: LinkFilter) => [...listsKey(accountId), filter] as const;
export const linkKey = (accountId: string, id: string) => ["link", accountId, id] as const;

/** Changes every list of the account that has been read. */
function changeLists(
  client: QueryClient,
  accountId: string,
  change: (links: readonly Link[], filter: LinkFilter, page: number) => readonly Link[],
): void {
  for (const query of client.getQueryCache().findAll({ queryKey: listsKey(accountId) })) {
    const filter = query.queryKey[2] as LinkFilter;
    client.setQueryData<Pages>(
      query.queryKey,
      (lists) =>
        lists && {
          ...lists,
          pages: lists.pages.map((page, index) => ({ ...page, data: [...change(page.data, filter, index)] })),
        },
    );
  }
}

/** Puts what is known of a link into every list; where it no longer belongs, it leaves, unless it may stay for now. */
export function putLink(client: QueryClient, accountId: string, link: Link, { stays = false } = {}): void {
  client.setQueryData(linkKey(accountId, link.id), link);
  changeLists(client, accountId, (links, filter) =>
    links.flatMap((other) => (other.id !== link.id ? [other] : stays || isShown(link, filter.show) ? [link] : [])),
  );
}

/** Shows a new link at the top of the plain list; lists that it may or may not belong to are read again. */
export function addLink(client: QueryClient, accountId: string, link: Link): void {
  client.setQueryData(linkKey(accountId, link.id), link);
  const isPlain = (filter: LinkFilter) => !isFiltered(filter) && filter.sort === undefined;
  changeLists(client, accountId, (links, filter, page) =>
    page === 0 && isPlain(filter) ? [link, ...links.filter(({ id }) => id !== link.id)] : links,
  );
  void client.invalidateQueries({
    queryKey: listsKey(accountId),
    predicate: ({ queryKey }) => !isPlain(queryKey[2] as LinkFilter),
  });
}

export function dropLink(client: QueryClient, accountId: string, id: string): void {
  client.removeQueries({ queryKey: linkKey(accountId, id) });
  changeLists(client, accountId, (links) => links.filter((link) => link.id !== id));
}

/** The link as some list knows it. */
export function findLink(client: QueryClient, accountId: string, id: string): Link | undefined {
  const known = client.getQueryData<Link>(linkKey(accountId, id));
  if (known) return known;
  for (const [, lists] of client.getQueriesData<Pages>({ queryKey: listsKey(accountId) })) {
    const found = lists?.pages.flatMap((page) => page.data).find((link) => link.id === id);
    if (found) return found;
  }
  return undefined;
}
