import type { Tone } from "#console/ui/panel.tsx";
import type { RecentDelivery, WebhookEndpoint } from "#contract/console/webhooks.ts";

export interface Health {
  readonly tone: Tone;
  readonly label: string;
  /** What it means and what can be done, where there is something to say. */
  readonly note: string | null;
}

/** Of an endpoint: by whether it is on, and otherwise by what became of its last deliveries. */
export function healthOf({ enabled, disabled_by, exhausted_at, failing_since, recent }: WebhookEndpoint): Health {
  if (!enabled) return disabledHealth[disabled_by ?? "owner"];
  if (exhausted_at !== null) {
    return {
      tone: "bad",
      label: "Giving up",
      note: "Some deliveries failed ten times and won’t be retried. After five days without a success the endpoint is switched off.",
    };
  }
  const tried = recent.filter(wasTried);
  const [last] = tried;
  const failed = tried.filter(hasFailed).length;
  const of =
    tried.length === 1
      ? "The only delivery so far failed."
      : `${failed} of the last ${tried.length} deliveries failed.`;
  if (failing_since !== null || (last && hasFailed(last))) {
    const isRetried = recent.some(({ outcome }) => outcome === "retrying");
    const retry = isRetried ? " What failed is retried for three days." : " Tests and manual attempts aren’t retried.";
    return { tone: "warn", label: "Failing", note: (failed > 0 ? of : "The last delivery failed.") + retry };
  }
  if (!last) return { tone: "plain", label: "No deliveries yet", note: null };
  return { tone: "good", label: "Healthy", note: failed > 0 ? of : null };
}

const wasTried = ({ outcome }: RecentDelivery): boolean => outcome !== "waiting" && outcome !== "skipped";
const hasFailed = ({ outcome }: RecentDelivery): boolean => outcome === "failed" || outcome === "retrying";

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
