import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useWorkspace } from "#console/api/session.tsx";
import { useDebounced } from "#console/ui/debounce.ts";
import { listTags } from "#contract/console/links.ts";

const SETTLE_MS = 150;
const STALE_MS = 30_000;

interface TagUse {
  readonly tag: string;
  readonly links: number;
}

/** The account's tags that hold a text, the most used first. */
export function useTags(text: string, enabled = true): readonly TagUse[] | undefined {
  const { account, call } = useWorkspace();
  const q = useDebounced(text.trim(), SETTLE_MS);
  const { data } = useQuery({
    queryKey: ["tags", account.id, q],
    queryFn: ({ signal }) => call(listTags, { query: q === "" ? {} : { q }, signal }),
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    enabled,
  });
  return data?.data;
}
