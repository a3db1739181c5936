import type { FoundLink, RedirectRow } from "#engines/records/redirect-reader.ts";

export type Outcome = "active" | "paused" | "expired" | "archived" | "blocked" | "deleted" | "unknown";

/** Deleted, blocked, archived, expired, paused, in this order: visitors see the state that lasts longest. */
export function outcomeOf(found: FoundLink, now: number): Outcome {
  if (found === null) return "unknown";
  if (found === "deleted") return "deleted";
  if (found.blocked_reason !== null || found.suspended) return "blocked";
  if (found.state === "archived") return "archived";
  if (found.expires_at !== null && found.expires_at <= now) return "expired";
  return found.state;
}

/** How long the link redirects if it isn't changed: never (0), forever (Infinity) or until it expires. */
export function activeUntil(row: RedirectRow): number {
  return outcomeOf(row, Number.NEGATIVE_INFINITY) === "active" ? (row.expires_at ?? Number.POSITIVE_INFINITY) : 0;
}
