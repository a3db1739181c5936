import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight, Plus, Webhook } from "lucide-react";
import { useWorkspace } from "#console/api/session.tsx";
import { useNewDialog } from "#console/app/new-dialog.ts";
import { Button } from "#console/ui/button.tsx";
import { formatAddress } from "#console/ui/format.ts";
import { Loaded } from "#console/ui/loaded.tsx";
import { Empty } from "#console/ui/panel.tsx";
import { RoleGate } from "#console/ui/role-note.tsx";
import { Section } from "#console/ui/section.tsx";
import { When } from "#console/ui/when.tsx";
import { listWebhooks, type WebhookEndpoint } from "#contract/console/webhooks.ts";
import { webhookTexts as texts } from "#texts/webhooks.ts";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { eventsText } from "./event-texts.ts";
import { HealthBadge } from "./health-badge.tsx";
import { HistoryBar } from "./history-bar.tsx";

export const WebhooksTab = () => (
  <RoleGate least="admin" what={texts.webhooks}>
    <EndpointList />
  </RoleGate>
);

const REFRESH_MS = 10_000;

function EndpointList() {
  const { account, call } = useWorkspace();
  const adding = useNewDialog();
  const endpoints = useQuery({
    queryKey: ["webhooks", account.id],
    queryFn: () => call(listWebhooks),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <Section
        title={texts.title}
        note={texts.note}
        action={
          <Button look="primary" onClick={adding.open}>
            <Plus className="size-4" aria-hidden />
            {texts.add}
          </Button>
        }
        flush
      >
        <Loaded query={endpoints}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon={<Webhook aria-hidden />} title={texts.none}>
                {texts.noneNote}
              </Empty>
            ) : (
              <ul aria-label={texts.title}>
                {data.map((endpoint) => (
                  <EndpointRow key={endpoint.id} endpoint={endpoint} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
      {adding.isOpen && <EndpointDialog endpoint={null} onClose={adding.close} />}
    </>
  );
}

function EndpointRow({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { account } = useWorkspace();
  const { id, url, description, events, failing_since } = endpoint;
  return (
    <li className="relative flex items-center justify-between gap-4 border-line px-5 py-4 not-first:border-t hover:bg-hover sm:px-6">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Link
            to="/a/$account/developer/webhooks/$endpoint"
            params={{ account: account.id, endpoint: id }}
            className="min-w-0 font-medium break-all after:absolute after:inset-0"
          >
            {formatAddress(url)}
          </Link>
          <HealthBadge endpoint={endpoint} />
        </p>
        {description !== null && <p className="mt-0.5 text-sm break-words text-soft">{description}</p>}
        <p className="mt-0.5 text-sm text-faint">
          {eventsText(events)} ·{" "}
          {failing_since === null ? (
            <When said={texts.added} instant={endpoint.created_at} />
          ) : (
            <When said={texts.failingSince} instant={failing_since} exact />
          )}
        </p>
      </div>
      <span className="flex shrink-0 items-center gap-4">
        <span className="max-sm:hidden">
          <HistoryBar recent={endpoint.recent} />
        </span>
        <ChevronRight className="size-5 text-faint" aria-hidden />
      </span>
    </li>
  );
}
