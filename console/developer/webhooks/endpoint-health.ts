import { formatExact } from "#console/ui/format.ts";
import type { Tone } from "#console/ui/panel.tsx";
import type { RecentDelivery, WebhookEndpoint } from "#contract/console/webhooks.ts";
import { webhookTexts } from "#texts/webhooks.ts";

const texts = webhookTexts.health;

export interface Health {
  readonly tone: Tone;
  readonly label: string;
  /** What it means and what can be done, where there is something to say. */
  readonly note: string | null;
}

/** Of an endpoint: by whether it is on, and otherwise by what became of its last deliveries. */
export function healthOf({ enabled, disabled_by, exhausted_at, failing_since, recent }: WebhookEndpoint): Health {
  if (!enabled) {
    const by = disabled_by ?? "owner";
    return { tone: by === "owner" ? "plain" : "bad", ...texts.disabled[by] };
  }
  if (exhausted_at !== null) return { tone: "bad", ...texts.exhausted };
  const tried = recent.filter(wasTried);
  const [last] = tried;
  const failed = tried.filter(hasFailed).length;
  const many = tried.length === 1 ? texts.onlyFailed : texts.someFailed(formatExact(failed), formatExact(tried.length));
  if (failing_since !== null || (last && hasFailed(last))) {
    const isRetried = recent.some(({ outcome }) => outcome === "retrying");
    const retry = isRetried ? texts.retried : texts.notRetried;
    return { tone: "warn", label: texts.failing, note: `${failed > 0 ? many : texts.lastFailed} ${retry}` };
  }
  if (!last) return { tone: "plain", label: texts.none, note: null };
  return { tone: "good", label: texts.healthy, note: failed > 0 ? many : null };
}

const wasTried = ({ outcome }: RecentDelivery): boolean => outcome !== "waiting" && outcome !== "skipped";
const hasFailed = ({ outcome }: RecentDelivery): boolean => outcome === "failed" || outcome === "retrying";
