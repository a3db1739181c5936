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
): { readonly shown?: LinkCount; readonly all?: LinkCount } {
  const shown = useCount(filter, isReady);
  // Archived links are only part of the whole where they are asked for.
  const showsArchived = filter.show !== undefined && filter.show !== "active" && filter.show !== "paused";
  // The trash is a place of its own.
  const whole: LinkFilter = filter.show === "deleted" ? { show: "deleted" } : showsArchived ? { show: "all" } : {};
  const all = useCount(whole, isReady && isFiltered(filter));
  return { ...(shown && { shown }), ...(all && isFiltered(filter) && { all }) };
}

function useCount({ sort: _, ...filter }: LinkFilter, enabled: boolean): LinkCount | undefined {
  const { account, call } = useWorkspace();
  const query = toLinkQuery(filter);
  const { data } = useQuery({
    queryKey: [...countKey(account.id), filter, query.created_after],
    queryFn: ({ signal }) => call(countLinks, { query, signal }),
    placeholderData: keepPreviousData,
    enabled,
  });
  return data;
}
