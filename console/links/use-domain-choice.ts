import { useWorkspace } from "#console/api/session.tsx";
import { useDomains } from "#console/domains/use-domains.ts";
import { siteOf } from "#shared/host-name.ts";

export interface DomainOption {
  readonly name: string;
  readonly label: string;
}

/** The domains that a new link can have, and the one it gets: what was chosen, the account's default, or the instance's own. */
export function useDomainChoice(value: string): {
  readonly options: readonly DomainOption[];
  readonly chosen: DomainOption;
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
  return { options, chosen: options.find(({ name }) => name === wanted) ?? instance };
}
