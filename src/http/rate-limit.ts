import type { RateDecision } from "#engines/coordination/rate-windows.ts";
import { ApiError } from "#kernel/api-error.ts";

export const RATE_WINDOW_SECONDS = 60;

/** The draft's structured fields and the older `X-RateLimit-…` names. `t` counts from now, `X-RateLimit-Reset` is Unix time. */
export function rateHeaders(decision: RateDecision, nowMs: number): Record<string, string> {
  const seconds = Math.ceil(decision.freesInMs / 1000);
  return {
    "ratelimit-policy": `"default";q=${decision.limit};w=${RATE_WINDOW_SECONDS}`,
    ratelimit: `"default";r=${decision.remaining};t=${seconds}`,
    "x-ratelimit-limit": String(decision.limit),
    "x-ratelimit-remaining": String(decision.remaining),
    "x-ratelimit-reset": String(Math.ceil(nowMs / 1000) + seconds),
  };
}

interface Limited {
  /** What there were too many of. */
  readonly what?: string;
  readonly windowSeconds?: number;
}

export function rateLimited(
  { limit, freesInMs }: Pick<RateDecision, "limit" | "freesInMs">,
  { what = "requests", windowSeconds = RATE_WINDOW_SECONDS }: Limited = {},
): ApiError {
  // One more millisecond than the window, so a client that waits exactly this long succeeds.
  const seconds = Math.ceil((freesInMs + 1) / 1000);
  return new ApiError("rate_limited", `Too many ${what}. Try again in ${formatWait(seconds)}.`, {
    limit,
    window_seconds: windowSeconds,
    retry_after: seconds,
  }).withHeader("retry-after", String(seconds));
}

const formatWait = (seconds: number): string => (seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`);
