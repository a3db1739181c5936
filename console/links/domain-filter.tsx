import { Globe } from "lucide-react";
import { useWorkspace } from "#console/api/session.tsx";
import { useDomains } from "#console/domains/use-domains.ts";
import { siteOf } from "#shared/host-name.ts";
import { linkTexts as texts } from "#texts/links.ts";
import { FilterMenu } from "./filter-menu.tsx";

interface DomainFilterProps {
  readonly chosen: string | undefined;
  readonly onChoose: (domain: string | undefined) => void;
}

/** Links on one domain, for accounts that have domains of their own. */
export function DomainFilter({ chosen, onChoose }: DomainFilterProps) {
  const { state } = useWorkspace();
  const { data = [] } = useDomains();
  // A domain that was lost may still have links.
  const known = [
    [state.short_domain, state.short_domain] as const,
    ...data.map(({ name, display_name }) => [name, siteOf(display_name, state.short_domain)] as const),
  ];
  // What an address asks for is shown even if there is no such domain, so that it can be taken back.
  const isUnknown = chosen !== undefined && known.every(([name]) => name !== chosen);
  const labels = Object.fromEntries(isUnknown ? [...known, [chosen, chosen]] : known);
  if (data.length === 0 && chosen === undefined) return null;
  return (
    <FilterMenu
      name={texts.filters.domain}
      icon={<Globe aria-hidden />}
      value={chosen}
      none={texts.filters.domainNone}
      labels={labels}
      all={Object.keys(labels)}
      onChoose={onChoose}
    />
  );
}
