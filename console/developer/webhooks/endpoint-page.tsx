import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { CallError } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { Filled } from "#console/ui/filled.tsx";
import { Loaded } from "#console/ui/loaded.tsx";
import { Badge } from "#console/ui/panel.tsx";
import { RoleGate } from "#console/ui/role-note.tsx";
import { Section } from "#console/ui/section.tsx";
import { When } from "#console/ui/when.tsx";
import { getWebhook, type WebhookEndpoint } from "#contract/console/webhooks.ts";
import { deliveryTexts as texts } from "#texts/deliveries.ts";
import { webhookTexts } from "#texts/webhooks.ts";
import { DeliveryLog } from "./delivery-log.tsx";
import { EndpointActions } from "./endpoint-actions.tsx";
import { healthOf } from "./endpoint-health.ts";
import { HealthBadge } from "./health-badge.tsx";
import { HistoryBar } from "./history-bar.tsx";

const REFRESH_MS = 5000;

export const EndpointPage = () => (
  <RoleGate least="admin" what={webhookTexts.webhooks}>
    <EndpointView />
  </RoleGate>
);

function EndpointView() {
  const { account, call } = useWorkspace();
  const { endpoint: id } = useParams({ from: "/a/$account/developer/webhooks/$endpoint" });
  const query = useQuery({
    queryKey: ["webhooks", account.id, id],
    queryFn: () => call(getWebhook, { params: { id } }),
    refetchInterval: ({ state }) => (state.error instanceof CallError ? false : REFRESH_MS),
  });
  return (
    <>
      <Link
        to="/a/$account/developer/webhooks"
        params={{ account: account.id }}
        className="mb-4 inline-flex items-center gap-1.5 text-sm text-soft hover:text-text"
      >
        <ArrowLeft className="size-4" aria-hidden />
        {texts.allEndpoints}
      </Link>
      <Loaded query={query}>
        {(endpoint) => (
          <>
            <EndpointCard endpoint={endpoint} />
            <DeliveryLog endpoint={endpoint} />
          </>
        )}
      </Loaded>
    </>
  );
}

function EndpointCard({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { url, description, events, old_secret_until, clicks_dropped } = endpoint;
  const { note } = healthOf(endpoint);
  return (
    <Section title={url} note={description} action={<EndpointActions endpoint={endpoint} />}>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <HealthBadge endpoint={endpoint} />
        <HistoryBar recent={endpoint.recent} />
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        {events.map((event) => (
          <Badge key={event}>
            <span className="font-mono">{event}</span>
          </Badge>
        ))}
      </div>
      <ul className="mt-3 space-y-1 text-sm text-soft empty:hidden">
        {note && (
          <li>
            {note} {endpoint.failing_since && <When said={texts.failingSince} instant={endpoint.failing_since} exact />}
          </li>
        )}
        {old_secret_until !== null && (
          <li>
            <Filled
              text={texts.oldSecret}
              parts={{
                expires: <When said={texts.expires} instant={old_secret_until} />,
                v1: <code className="font-mono">v1</code>,
              }}
            />
          </li>
        )}
        {clicks_dropped > 0 && <li>{texts.clicksDropped(clicks_dropped)}</li>}
      </ul>
    </Section>
  );
}
