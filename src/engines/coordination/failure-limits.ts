interface Counted {
  /** Keys of a group only ever push out others of their own group, if there are too many. */
  readonly group: string;
  readonly key: string;
}

/** After `free` failures, each further one doubles the wait, from a second up to `waitMsMax`. */
export interface DoublingWait extends Counted {
  readonly kind: "doubling";
  readonly free: number;
  readonly waitMsMax: number;
  readonly forgottenAfterMs: number;
}

/** Allows `limit` failures within a window; then one per `waitMs`, or none until the oldest leaves the window. */
export interface FailureWindow extends Counted {
  readonly kind: "window";
  readonly limit: number;
  readonly windowMs: number;
  readonly waitMs?: number;
}

export type FailureLimit = DoublingWait | FailureWindow;

/** Either an attempt, which counts as failed until it succeeds, or the limit that is in the way and for how long. */
export type AttemptDecision =
  | { readonly waitMs: 0; readonly succeed: () => Promise<void> }
  | { readonly waitMs: number; readonly limit: FailureLimit };

/** Counts failed attempts. Those that still run count as failed, so that parallel attempts gain nothing. */
export interface FailureLimits {
  /** Counts an attempt towards every limit, or towards none if one of them is in the way. */
  begin(limits: readonly FailureLimit[]): Promise<AttemptDecision>;
}

export const freeFailuresOf = (limit: FailureLimit): number => (limit.kind === "doubling" ? limit.free : limit.limit);
