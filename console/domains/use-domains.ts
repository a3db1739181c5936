import { useQuery } from "@tanstack/react-query";
import { useWorkspace, type Workspace } from "#console/api/session.tsx";
import type { Domain } from "#contract/domain-record.ts";
import { listDomains } from "#contract/domains.ts";

const PAGE_SIZE = 100;

async function loadAll(call: Workspace["call"]): Promise<readonly Domain[]> {
  const domains: Domain[] = [];
  let cursor: string | null = null;
  do {
    const query: { limit: number; cursor?: string } = { limit: PAGE_SIZE, ...(cursor !== null && { cursor }) };
    const page: { readonly data: readonly Domain[]; readonly next_cursor: string | null } = await call(listDomains, {
      query,
    });
    domains.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return domains;
}

export const domainKey = (accountId: string, id: string) => ["domains", accountId, id] as const;

/** The account's domains, oldest first. */
export function useDomains(refetchInterval: number | false = false) {
  const { account, call } = useWorkspace();
  return useQuery({ queryKey: ["domains", account.id], queryFn: () => loadAll(call), refetchInterval });
}
