import type { RedirectRow } from "#engines/records/redirect-reader.ts";

/** What the records engine says about a slug: the link, its tombstone, or nothing. */
export type Found = RedirectRow | "deleted" | null;

export type Outcome = "active" | "paused" | "expired" | "archived" | "blocked" | "deleted" | "unknown";

/** Deleted before blocked before archived before expired before paused: what lasts longest is what a visitor is told. */
export function outcomeOf(found: Found, now: number): Outcome {
  if (found === null) return "unknown";
  if (found === "deleted") return "deleted";
  if (found.blocked_reason !== null || found.suspended) return "blocked";
  if (found.state === "archived") return "archived";
  if (found.expires_at !== null && found.expires_at <= now) return "expired";
  return found.state;
}

/** Until when the link redirects if nothing changes it: never (0), for ever (Infinity) or until it expires. */
export function activeUntil(row: RedirectRow): number {
  return outcomeOf(row, Number.NEGATIVE_INFINITY) === "active" ? (row.expires_at ?? Number.POSITIVE_INFINITY) : 0;
}
