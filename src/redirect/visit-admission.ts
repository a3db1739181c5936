import type { HostRow } from "#engines/records/redirect-reader.ts";
import type { LinkKey } from "#kernel/link-key.ts";
import type { CachedLink, Entry } from "./link-cache.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";

/** A request for a short link. */
export interface Visit {
  readonly request: Request;
  /** `null` on the instance's own domain. */
  readonly host: HostRow | null;
  readonly key: LinkKey;
  /** Whether the visitor asked where the link leads, instead of opening it. */
  readonly isPreview: boolean;
  /** Whether something follows the slug, which only some links accept. */
  readonly isBelow: boolean;
}

/** Why a link can't be opened. Whether a guarded link lets a visitor pass is another matter. */
export type Obstacle = Exclude<Outcome, "active"> | WrongMethod;
/** A link with a form takes POST, too: the password. */
export type WrongMethod = "method" | "method of form";

/** Returns the link if the visit can open it, or else what is in the way. */
export function admit(entry: Entry, { request, isBelow }: Visit, now: number): CachedLink | Obstacle {
  if (entry === "deleted") {
    if (!isRead(request)) return "method";
    return isBelow ? "unknown" : "deleted";
  }
  const outcome = outcomeOf(entry.row, now);
  // A link that can't be opened says nothing about itself.
  if (!takesMethod(entry, request)) return outcome === "active" ? wrongMethodOf(entry) : "method";
  if (isBelow && entry.plan?.forwardsPath !== true) return "unknown";
  return outcome === "active" ? entry : outcome;
}

export const takesMethod = ({ row }: CachedLink, request: Request): boolean =>
  isRead(request) || (request.method === "POST" && row.guarded);

export const wrongMethodOf = ({ row }: CachedLink): WrongMethod => (row.guarded ? "method of form" : "method");

export const isRead = ({ method }: Request): boolean => method === "GET" || method === "HEAD";
