import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useWorkspace } from "#console/api/session.tsx";
import { getLink } from "#contract/links.ts";
import { findLink, linkKey } from "./link-cache.ts";

/** One link: at first as some list knows it, which may be old, then as it is. */
export function useLink(id: string | null) {
  const { account, call } = useWorkspace();
  const client = useQueryClient();
  return useQuery({
    queryKey: linkKey(account.id, id ?? ""),
    queryFn: id === null ? skipToken : ({ signal }) => call(getLink, { params: { id }, signal }),
    initialData: () => (id === null ? undefined : findLink(client, account.id, id)),
    initialDataUpdatedAt: 0,
  });
}
