import type { ChosenEvent } from "#contract/webhooks.ts";
import { toTimestamp, toTimestampOrNull } from "#kernel/clock.ts";
import type { EndpointRow } from "./endpoints.store.ts";

/** An endpoint as its owner sees it, without the secret. */
export interface Endpoint {
  readonly id: string;
  readonly account_id: string;
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly ChosenEvent[];
  readonly enabled: boolean;
  /** Why it is disabled: by the `owner`, because it kept `failing`, or because it responded 410 (`gone`). */
  readonly disabled_by: "owner" | "failing" | "gone" | null;
  readonly disabled_at: string | null;
  /** The first failure since the last success. */
  readonly failing_since: string | null;
  /** When a delivery first failed for good since the last success. */
  readonly exhausted_at: string | null;
  /** Clicks dropped because too many deliveries were pending. */
  readonly clicks_dropped: number;
  /** Until when deliveries are signed with the previous secret too. */
  readonly old_secret_until: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export const toEndpoint = (row: EndpointRow, accountId: string, now: number): Endpoint => ({
  id: row.id,
  account_id: accountId,
  url: row.url,
  description: row.description,
  events: JSON.parse(row.events) as ChosenEvent[],
  enabled: row.disabled_at === null,
  disabled_by: row.disabled_by,
  disabled_at: toTimestampOrNull(row.disabled_at),
  failing_since: toTimestampOrNull(row.failing_since),
  exhausted_at: toTimestampOrNull(row.exhausted_at),
  clicks_dropped: row.clicks_dropped,
  old_secret_until: (row.old_secret_until ?? 0) > now ? toTimestampOrNull(row.old_secret_until) : null,
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
});
