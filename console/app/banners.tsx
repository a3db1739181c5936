import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useWorkspace } from "#console/api/session.tsx";
import { isRecordMissing } from "#console/domains/record-missing.ts";
import { useDomains } from "#console/domains/use-domains.ts";
import { listWebhooks } from "#contract/console/webhooks.ts";
import { appTexts as texts } from "#texts/app.ts";
import { OfflineBanner } from "./offline-banner.tsx";

/** What everyone on the page must know. */
export function Banners() {
  const { account, state, may } = useWorkspace();
  return (
    <>
      <OfflineBanner />
      {account.suspended && (
        <p className="border-b border-line bg-bad-soft px-4 py-2 text-center text-sm text-bad">{texts.suspended}</p>
      )}
      {/* In the demo, an endpoint that failed is part of what there is to see. */}
      {may("admin") && !state.demo && <EndpointsOff />}
      {may("admin") && <DomainsAtRisk />}
    </>
  );
}

const REFRESH_MS = 60_000;

/** Nobody looks at the developer area until something is missing, so it is told wherever one is. */
function EndpointsOff() {
  const { account, call } = useWorkspace();
  const { data } = useQuery({
    queryKey: ["webhooks", account.id],
    queryFn: () => call(listWebhooks),
    refetchInterval: REFRESH_MS,
  });
  const off = data?.data.filter(({ disabled_by }) => disabled_by === "failing" || disabled_by === "gone") ?? [];
  if (off.length === 0) return null;
  return (
    <p className="border-b border-line bg-bad-soft px-4 py-2 text-center text-sm text-bad">
      {texts.endpointsOff(off.length)}{" "}
      <Link to="/a/$account/developer/webhooks" params={{ account: account.id }} className="underline">
        {texts.seeEndpoints}
      </Link>
    </p>
  );
}

/** Links on the domain still work, so nobody would notice before it is too late. */
function DomainsAtRisk() {
  const { account } = useWorkspace();
  const { data = [] } = useDomains(REFRESH_MS);
  const missing = data.filter(isRecordMissing);
  const [first] = missing;
  if (!first) return null;
  return (
    <p className="border-b border-line bg-warn-soft px-4 py-2 text-center text-sm text-warn">
      {missing.length === 1 ? texts.recordMissing(first.display_name) : texts.recordsMissing(missing.length)}{" "}
      <Link to="/a/$account/domains" params={{ account: account.id }} className="underline">
        {texts.seeDomains}
      </Link>
    </p>
  );
}
