import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useWorkspace } from "#console/api/session.tsx";
import { countLinks, type LinkCount } from "#contract/links.ts";
import { countKey } from "./link-cache.ts";
import { isFiltered, type LinkFilter, toLinkQuery } from "./link-list-search.ts";

/**
 * How many links the list has, and if it is filtered, how many there are without the filters. Counting can take longer
 * than the first page does, so it waits until that is there (`isReady`).
 */
export function useLinkCount(
  filter: LinkFilter,
  isReady: boolean,
): {
  readonly shown?: LinkCount;
  readonly all?: LinkCount;
  /** As `shown`, but never that of the list before. */
  readonly selectable: LinkCount | undefined;
} {
  const { count: shown, isOfBefore } = useCount(filter, isReady);
  // Archived links are only part of the whole where they are asked for.
  const showsArchived = filter.show !== undefined && filter.show !== "active" && filter.show !== "paused";
  // The trash is a place of its own.
  const whole: LinkFilter = filter.show === "deleted" ? { show: "deleted" } : showsArchived ? { show: "all" } : {};
  const { count: all } = useCount(whole, isReady && isFiltered(filter));
  return {
    ...(shown && { shown }),
    ...(all && isFiltered(filter) && { all }),
    selectable: isOfBefore ? undefined : shown,
  };
}

/** The count of the list before stays until this one is there. */
export function useCount(
  { sort: _, ...filter }: LinkFilter,
  enabled: boolean,
): { readonly count: LinkCount | undefined; readonly isOfBefore: boolean } {
  const { account, call } = useWorkspace();
  const query = toLinkQuery(filter);
  const { data: count, isPlaceholderData: isOfBefore } = useQuery({
    queryKey: [...countKey(account.id), filter, query.created_after],
    queryFn: ({ signal }) => call(countLinks, { query, signal }),
    placeholderData: keepPreviousData,
    enabled,
  });
  return { count, isOfBefore };
}
