import { useWorkspace } from "#console/api/session.tsx";
import { useDomains } from "#console/domains/use-domains.ts";
import type { Domain, DomainUrlField } from "#contract/domain-record.ts";
import { siteOf } from "#shared/host-name.ts";

export interface DomainOption {
  readonly name: string;
  readonly label: string;
}

/** The domains that a new link can have, and the one it gets: what was chosen, the account's default, or the instance's own. */
export function useDomainChoice(value: string): {
  readonly options: readonly DomainOption[];
  readonly chosen: DomainOption;
  /** Where the chosen domain leads visitors in the link's stead. */
  readonly addressOf: (field: DomainUrlField) => string | null;
} {
  const { state } = useWorkspace();
  const { data = [] } = useDomains();
  const instance = { name: state.short_domain, label: state.short_domain };
  const verified = data.filter(({ status }) => status === "verified");
  const options = [
    instance,
    ...verified.map(({ name, display_name }) => ({ name, label: siteOf(display_name, state.short_domain) })),
  ];
  const wanted = value || verified.find(({ is_default }) => is_default)?.name;
  const chosen = options.find(({ name }) => name === wanted) ?? instance;
  const domain = verified.find(({ name }) => name === chosen.name);
  return { options, chosen, addressOf: (field) => (domain ? addressInUse(domain, field) : null) };
}

/** One that the operator blocks counts as none. */
const addressInUse = (domain: Domain, field: DomainUrlField): string | null =>
  domain.blocked_urls.some((blocked) => blocked.field === field) ? null : domain[field];
