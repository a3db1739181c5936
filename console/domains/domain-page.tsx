import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { CallError } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { Loaded } from "#console/ui/loaded.tsx";
import { usePageTitle } from "#console/ui/page-title.ts";
import { PageHead } from "#console/ui/panel.tsx";
import { toast } from "#console/ui/toast.tsx";
import type { Domain } from "#contract/domain-record.ts";
import { getDomain, updateDomain } from "#contract/domains.ts";
import { causeOfLoss } from "#shared/lost-domain.ts";
import { domainTexts as texts } from "#texts/domains.ts";
import { AppLinks } from "./app-links.tsx";
import { DomainAddresses } from "./domain-addresses.tsx";
import { DomainSetup } from "./domain-setup.tsx";
import { DomainBadges } from "./domain-status.tsx";
import { isRecordMissing } from "./record-missing.ts";
import { RemoveDomain } from "./remove-domain.tsx";
import { useDomainChange } from "./use-domain-change.ts";
import { domainKey } from "./use-domains.ts";

const REFRESH_MS = 5000;

export function DomainPage() {
  const { account, call } = useWorkspace();
  const { domain: id } = useParams({ from: "/a/$account/domains/$domain" });
  const query = useQuery({
    queryKey: domainKey(account.id, id),
    queryFn: () => call(getDomain, { params: { id } }),
    refetchInterval: ({ state }) => (state.error instanceof CallError ? false : REFRESH_MS),
  });
  return (
    <>
      <Link
        to="/a/$account/domains"
        params={{ account: account.id }}
        className="mb-4 inline-flex items-center gap-1.5 text-sm text-soft hover:text-text"
      >
        <ArrowLeft className="size-4" aria-hidden />
        {texts.all}
      </Link>
      <Loaded query={query}>{(domain) => <DomainView domain={domain} />}</Loaded>
    </>
  );
}

function DomainView({ domain }: { readonly domain: Domain }) {
  const { may } = useWorkspace();
  const { name, display_name, link_count } = domain;
  usePageTitle(display_name);
  return (
    <>
      <PageHead
        // A host name is of no use with its end cut off.
        title={<span className="whitespace-normal wrap-anywhere">{display_name}</span>}
        note={
          <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <DomainBadges domain={domain} />
            {name !== display_name && <span className="font-mono text-sm break-all">{name}</span>}
            <span className="text-sm">{texts.linkCount(link_count)}</span>
          </span>
        }
        actions={may("admin") && domain.status === "verified" && <DefaultButton domain={domain} />}
      />
      <Warning domain={domain} />
      <DomainSetup domain={domain} />
      <DomainAddresses domain={domain} />
      <AppLinks domain={domain} />
      {may("admin") && <RemoveDomain domain={domain} />}
    </>
  );
}

function DefaultButton({ domain: { id, display_name, is_default } }: { readonly domain: Domain }) {
  const { call } = useWorkspace();
  const setting = useDomainChange(() => call(updateDomain, { params: { id }, body: { is_default: !is_default } }), {
    onDone: ({ is_default: isNow }) => toast(isNow ? texts.isDefault(display_name) : texts.isNoDefault(display_name)),
  });
  return (
    <Button busy={setting.isPending} onClick={() => setting.mutate()}>
      {is_default ? texts.stopDefault : texts.makeDefault}
    </Button>
  );
}

function Warning({ domain }: { readonly domain: Domain }) {
  if (domain.status === "lost") {
    const { name, display_name } = domain;
    const cause = causeOfLoss(name, domain.last_problem) ?? "dns";
    return (
      <p role="alert" className="mb-5 rounded-xl bg-bad-soft px-4 py-3 text-sm wrap-anywhere text-bad">
        {texts.lost[cause](display_name, name)}
      </p>
    );
  }
  if (!isRecordMissing(domain)) return null;
  return (
    <p role="alert" className="mb-5 rounded-xl bg-warn-soft px-4 py-3 text-sm text-warn">
      {texts.recordMissing(domain.display_name)}
    </p>
  );
}
