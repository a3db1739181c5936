import { Link } from "@tanstack/react-router";
import { ChevronRight, Globe, Plus } from "lucide-react";
import { useWorkspace } from "#console/api/session.tsx";
import { useNewDialog } from "#console/app/new-dialog.ts";
import { useAccount } from "#console/settings/use-account.ts";
import { Button } from "#console/ui/button.tsx";
import { Loaded } from "#console/ui/loaded.tsx";
import { Empty, PageHead, Panel } from "#console/ui/panel.tsx";
import { UsageBar } from "#console/ui/usage-bar.tsx";
import { When } from "#console/ui/when.tsx";
import type { Domain } from "#contract/domain-record.ts";
import { domainTexts as texts } from "#texts/domains.ts";
import { AddDomainDialog } from "./add-domain-dialog.tsx";
import { DomainBadges } from "./domain-status.tsx";
import { useDomains } from "./use-domains.ts";

const REFRESH_MS = 10_000;

export function DomainsPage() {
  const { may } = useWorkspace();
  const adding = useNewDialog();
  const domains = useDomains(REFRESH_MS);
  const addButton = may("admin") && (
    <Button look="primary" onClick={adding.open}>
      <Plus className="size-4" aria-hidden />
      {texts.add}
    </Button>
  );
  const isEmpty = domains.data?.length === 0;
  return (
    <>
      <PageHead title={texts.title} note={texts.note} actions={!isEmpty && addButton} />
      <Panel className="mb-5">
        <Loaded query={domains}>
          {(list) =>
            list.length === 0 ? (
              <Empty icon={<Globe aria-hidden />} title={texts.none} action={addButton}>
                {texts.noneNote}
              </Empty>
            ) : (
              <ul aria-label={texts.title}>
                {list.map((domain) => (
                  <DomainRow key={domain.id} domain={domain} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
      <PlanLimit />
      {adding.isOpen && may("admin") && <AddDomainDialog onClose={adding.close} />}
    </>
  );
}

function DomainRow({ domain }: { readonly domain: Domain }) {
  const { account } = useWorkspace();
  const { id, name, display_name, status, link_count, created_at, verified_at } = domain;
  return (
    <li className="relative flex items-center justify-between gap-4 border-line px-5 py-4 not-first:border-t first:rounded-t-2xl last:rounded-b-2xl hover:bg-hover sm:px-6">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Link
            to="/a/$account/domains/$domain"
            params={{ account: account.id, domain: id }}
            className="min-w-0 font-medium break-all after:absolute after:inset-0"
          >
            {display_name}
          </Link>
          <DomainBadges domain={domain} />
        </p>
        {name !== display_name && <p className="mt-0.5 font-mono text-xs break-all text-faint">{name}</p>}
        <p className="mt-0.5 text-sm text-faint">
          {texts.linkCount(link_count)} ·{" "}
          {status === "verified" && verified_at !== null ? (
            <When said={texts.verifiedAt} instant={verified_at} />
          ) : (
            <When said={texts.addedAt} instant={created_at} />
          )}
        </p>
      </div>
      <ChevronRight className="size-5 shrink-0 text-faint" aria-hidden />
    </li>
  );
}

function PlanLimit() {
  const { data } = useAccount();
  const domains = data?.plan.features.domains;
  if (!domains || domains.limit === null) return null;
  return (
    <Panel className="p-5 sm:px-6">
      <UsageBar label={texts.inPlan} {...domains} />
    </Panel>
  );
}
