import { useQueryClient } from "@tanstack/react-query";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import type { Domain } from "#contract/domain-record.ts";
import { domainKey } from "./use-domains.ts";

interface DomainChangeOptions {
  readonly onDone: (domain: Domain) => void;
  readonly inForm?: boolean;
}

/** A domain is changed. What comes back is shown at once, so that no form falls back to what was stored before. */
export function useDomainChange(work: () => Promise<Domain>, { onDone, inForm = false }: DomainChangeOptions) {
  const { account } = useWorkspace();
  const client = useQueryClient();
  return useChange(work, {
    refreshes: ["domains"],
    inForm,
    onDone(domain) {
      client.setQueryData(domainKey(account.id, domain.id), domain);
      onDone(domain);
    },
  });
}
