import type { FoundLink, RedirectRow } from "#engines/records/redirect-reader.ts";

export type Outcome = "active" | "scheduled" | "paused" | "expired" | "archived" | "blocked" | "deleted" | "unknown";

/** Deleted, blocked, archived, expired, paused, scheduled, in this order: visitors see the state that lasts longest. */
export function outcomeOf(found: FoundLink, now: number): Outcome {
  if (found === null) return "unknown";
  if (found === "deleted") return "deleted";
  if (found.blocked_reason !== null || found.suspended) return "blocked";
  if (found.state === "archived") return "archived";
  if (found.expires_at !== null && found.expires_at <= now) return "expired";
  if (found.state === "paused") return "paused";
  return (found.settings?.starts_at ?? now) > now ? "scheduled" : "active";
}

/** How long the link redirects, once it has started, if it isn't changed: never (0), forever (Infinity) or until it expires. */
export function activeUntil(row: RedirectRow): number {
  const outcome = outcomeOf(row, Number.NEGATIVE_INFINITY);
  return outcome === "active" || outcome === "scheduled" ? (row.expires_at ?? Number.POSITIVE_INFINITY) : 0;
}
