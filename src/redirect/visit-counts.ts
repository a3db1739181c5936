import type { Outcome } from "./outcome.ts";

/** How a visit ended: the link's outcome, refused (429, 414), or failed because the link couldn't be read. */
export type VisitEnd = Exclude<Outcome, "active"> | "redirected" | "previewed" | "refused" | "failed";

/** Plain numbers, so counting costs next to nothing. */
export interface VisitCounts {
  readonly ends: Record<VisitEnd, number>;
  cacheHits: number;
  cacheMisses: number;
}

export const newVisitCounts = (): VisitCounts => ({
  ends: {
    redirected: 0,
    previewed: 0,
    unknown: 0,
    scheduled: 0,
    paused: 0,
    expired: 0,
    archived: 0,
    blocked: 0,
    deleted: 0,
    refused: 0,
    failed: 0,
  },
  cacheHits: 0,
  cacheMisses: 0,
});
