import { classes } from "#console/ui/classes.ts";
import { formatInstant } from "#console/ui/format.ts";
import { RECENT_DELIVERIES_MAX, type RecentDelivery } from "#contract/console/webhooks.ts";
import { webhookTexts as texts } from "#texts/webhooks.ts";
import { historyText } from "./history-text.ts";

/** Told apart by height as well as by color. */
const looks: Readonly<Record<RecentDelivery["outcome"], string>> = {
  delivered: "h-5 bg-good",
  failed: "h-2.5 bg-bad",
  retrying: "h-3.5 bg-warn",
  waiting: "h-1 bg-faint",
  skipped: "h-1 bg-line-strong",
};

/** An endpoint's last deliveries as thin bars, the newest at the right. */
export function HistoryBar({ recent }: { readonly recent: readonly RecentDelivery[] }) {
  if (recent.length === 0) return null;
  const missing = RECENT_DELIVERIES_MAX - recent.length;
  return (
    <span role="img" aria-label={historyText(recent)} className="inline-flex h-5 items-end gap-[3px]">
      {Array.from({ length: missing }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <span key={index} className="h-0.5 w-1 rounded-full bg-line" />
      ))}
      {recent.toReversed().map(({ id, outcome, at }) => (
        <span
          key={id}
          title={texts.outcomeAt(texts.outcomes[outcome], formatInstant(at))}
          className={classes("w-1 rounded-full", looks[outcome])}
        />
      ))}
    </span>
  );
}
