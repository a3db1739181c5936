import { formatExact } from "#console/ui/format.ts";
import { locale } from "#console/ui/locale.ts";
import { deliveryOutcomes, type RecentDelivery } from "#contract/console/webhooks.ts";
import { webhookTexts as texts } from "#texts/webhooks.ts";

const list = new Intl.ListFormat(locale, { type: "unit" });

/** As in "Last 20 deliveries: 18 delivered, 2 failed". */
export function historyText(recent: readonly RecentDelivery[]): string {
  const counts = deliveryOutcomes
    .map((outcome) => ({ outcome, count: recent.filter((one) => one.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => texts.outcomeCount(formatExact(count), texts.outcomes[outcome]));
  return texts.history(recent.length, list.format(counts));
}
