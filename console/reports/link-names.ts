import { queryOptions, useQueries } from "@tanstack/react-query";
import { useWorkspace, type Workspace } from "#console/api/session.tsx";
import { type LinkName, listLinkNames } from "#contract/console/links.ts";

const STALE_MS = 60_000;
const IDS_MAX = 100;

let waiting: { readonly ids: Set<string>; readonly names: Promise<readonly LinkName[]> } | null = null;

/** Many rows want a name at the same moment: one request brings them all. */
async function askName(call: Workspace["call"], id: string): Promise<LinkName | null> {
  if (!waiting || waiting.ids.size >= IDS_MAX) {
    const ids = new Set<string>();
    const names = new Promise<void>((resolve) => setTimeout(resolve)).then(async () => {
      waiting = null;
      return (await call(listLinkNames, { query: { id: [...ids] } })).data;
    });
    waiting = { ids, names };
  }
  waiting.ids.add(id);
  const names = await waiting.names;
  return names.find((name) => name.id === id) ?? null;
}

interface LinkNames {
  /** By id; what is not known yet, or was deleted, is left out. */
  readonly names: ReadonlyMap<string, LinkName>;
  readonly isAsking: boolean;
}

export function useLinkNames(ids: readonly string[]): LinkNames {
  const { account, call } = useWorkspace();
  return useQueries({
    queries: ids.map((id) =>
      queryOptions({
        queryKey: ["link-name", account.id, id],
        queryFn: () => askName(call, id),
        staleTime: STALE_MS,
      }),
    ),
    combine: (results) => ({
      names: new Map(results.flatMap(({ data }) => (data ? [[data.id, data] as const] : []))),
      isAsking: results.some(({ isPending }) => isPending),
    }),
  });
}

/** A title is for people; without one, the slug is, with the domain if it is the account's: slugs differ on one only. */
export const titleOf = ({ title, domain, slug }: Omit<LinkName, "id">): string => title ?? `${domain ?? ""}/${slug}`;

/** An id is for nobody, unless there is nothing else. */
export function nameLink({ names, isAsking }: LinkNames, id: string): string {
  const name = names.get(id);
  return name ? titleOf(name) : isAsking ? "…" : id;
}
