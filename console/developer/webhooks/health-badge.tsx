import { Badge } from "#console/ui/panel.tsx";
import type { WebhookEndpoint } from "#contract/console/webhooks.ts";
import { healthOf } from "./endpoint-health.ts";

export function HealthBadge({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { tone, label } = healthOf(endpoint);
  return <Badge tone={tone}>{label}</Badge>;
}
