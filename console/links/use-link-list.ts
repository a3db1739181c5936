import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { FIRST_PAGE_LINKS } from "#console/api/prefetch-list.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { listLinks } from "#contract/links.ts";
import { arrangeLinks } from "./arrange-links.ts";
import { listKey, useNewestLinks } from "./link-cache.ts";
import { isShown, type LinkFilter, toListQuery } from "./link-list-search.ts";

const PAGE_LINKS = 100;
// A list is read again page by page; one that was scrolled far would take long and shift under the reader.
const PAGES_READ_AGAIN_MAX = 3;

/**
 * The links of the account that a filter lets through, page after page; until the first is there, those of the filter
 * before (`shownFilter`).
 */
export function useLinkList(filter: LinkFilter) {
  const { account, call } = useWorkspace();
  const query = toListQuery(filter);
  const isShort = ({ state }: { state: { data: { pages: readonly unknown[] } | undefined } }) =>
    (state.data?.pages.length ?? 0) <= PAGES_READ_AGAIN_MAX;
  const list = useInfiniteQuery({
    queryKey: listKey(account.id, filter, query.created_after),
    queryFn: ({ pageParam, signal }) =>
      call(listLinks, {
        query: {
          ...query,
          ...(pageParam === null ? { limit: FIRST_PAGE_LINKS } : { limit: PAGE_LINKS, cursor: pageParam }),
        },
        signal,
        mayBePrefetched: true,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchOnMount: isShort,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
  });
  const newest = useNewestLinks();
  const { data, isPlaceholderData } = list;
  const links = useMemo(() => {
    const pages = data?.pages.map((page) => page.data) ?? [];
    // The list before stays until this one is there, by its own rules.
    return arrangeLinks(pages, { newest, isShown: (link) => isPlaceholderData || isShown(link, filter.show) });
  }, [data, newest, isPlaceholderData, filter.show]);
  const shownFilter = useRef(filter);
  if (!isPlaceholderData) shownFilter.current = filter;
  return { ...list, links, shownFilter: shownFilter.current };
}
