import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import type { Link } from "#contract/link-record.ts";
import { listLinks } from "#contract/links.ts";
import { listKey } from "./link-cache.ts";
import { type LinkFilter, toLinkQuery } from "./link-list-search.ts";
import { useHiddenLinks } from "./pending-deletions.ts";

// A screen and what is just below it come first; whoever scrolls on wants many.
const FIRST_PAGE_LINKS = 30;
const PAGE_LINKS = 100;
// A list is read again page by page; one that was scrolled far would take long and shift under the reader.
const PAGES_READ_AGAIN_MAX = 3;

/** The links of the account that a filter lets through, page after page. */
export function useLinkList(filter: LinkFilter) {
  const { account, call } = useWorkspace();
  const query = toLinkQuery(filter);
  const isShort = ({ state }: { state: { data: { pages: readonly unknown[] } | undefined } }) =>
    (state.data?.pages.length ?? 0) <= PAGES_READ_AGAIN_MAX;
  const list = useInfiniteQuery({
    queryKey: [...listKey(account.id, filter), query.created_after],
    queryFn: ({ pageParam, signal }) =>
      call(listLinks, {
        query: {
          ...query,
          ...(pageParam === null ? { limit: FIRST_PAGE_LINKS } : { limit: PAGE_LINKS, cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchOnMount: isShort,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
  });
  const hidden = useHiddenLinks();
  const { data } = list;
  const links = useMemo(() => {
    // By a key that moves, a link may stand on two pages.
    const byId = new Map<string, Link>();
    for (const page of data?.pages ?? []) for (const link of page.data) byId.set(link.id, link);
    for (const id of hidden) byId.delete(id);
    return [...byId.values()];
  }, [data, hidden]);
  return { ...list, links };
}
