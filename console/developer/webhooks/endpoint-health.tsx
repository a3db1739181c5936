import { Badge, type Tone } from "#console/ui/panel.tsx";
import type { WebhookEndpoint } from "#contract/console/webhooks.ts";

interface Health {
  readonly tone: Tone;
  readonly label: string;
  /** What it means and what can be done, where something is wrong. */
  readonly note: string | null;
}

export function healthOf({ enabled, disabled_by, exhausted_at, failing_since }: WebhookEndpoint): Health {
  if (!enabled) return disabledHealth[disabled_by ?? "owner"];
  if (exhausted_at !== null) {
    return {
      tone: "bad",
      label: "Giving up",
      note: "Some deliveries failed ten times and were given up. After five days without a success the endpoint is switched off.",
    };
  }
  if (failing_since !== null) {
    return { tone: "warn", label: "Failing", note: "The last deliveries failed. They are tried again for three days." };
  }
  return { tone: "good", label: "Healthy", note: null };
}

const disabledHealth: Readonly<Record<NonNullable<WebhookEndpoint["disabled_by"]>, Health>> = {
  owner: { tone: "plain", label: "Off", note: "Nothing is sent, and what happens meanwhile is not kept for it." },
  failing: {
    tone: "bad",
    label: "Switched off",
    note: "It failed for five days, so nothing is sent any more. Events of the last seven days wait for it.",
  },
  gone: {
    tone: "bad",
    label: "Switched off",
    note: "It answered that it is gone (410), so nothing is sent any more. Events of the last seven days wait for it.",
  },
};

export function HealthBadge({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { tone, label } = healthOf(endpoint);
  return <Badge tone={tone}>{label}</Badge>;
}
