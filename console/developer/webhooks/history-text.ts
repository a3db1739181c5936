import { plural } from "#console/ui/format.ts";
import { deliveryOutcomes, type RecentDelivery } from "#contract/console/webhooks.ts";

export const outcomeLabels: Readonly<Record<RecentDelivery["outcome"], string>> = {
  delivered: "delivered",
  failed: "failed",
  retrying: "being retried",
  waiting: "waiting",
  skipped: "not sent",
};

/** As in "Last 20 deliveries: 18 delivered, 2 failed". */
export function historyText(recent: readonly RecentDelivery[]): string {
  const counts = deliveryOutcomes
    .map((outcome) => [outcomeLabels[outcome], recent.filter((one) => one.outcome === outcome).length] as const)
    .filter(([, count]) => count > 0)
    .map(([label, count]) => `${count} ${label}`);
  const head = recent.length === 1 ? "Last delivery" : `Last ${plural(recent.length, "delivery", "deliveries")}`;
  return `${head}: ${counts.join(", ")}`;
}
