import { IDLE_SECONDS } from "../keep-alive.ts";
import type { ConnectionState } from "./connection-state.ts";

// A tick is a second.
const REQUEST_TICKS_MAX = 10;
// Browsers open spare connections, and close those they didn't need after ten seconds. They must do so first: they don't
// repeat a request that is reset on a connection that was never used.
const UNUSED_TICKS_MAX = 20;
const UNREAD_ANSWER_TICKS_MAX = 10;
const ENDED_TICKS_MAX = 2;
const UNSENT_TICKS_MAX = 60;

/** Of a connection that isn't waiting for an answer. */
export type Use = "unused" | "unfinished" | "idle";
const OPEN_TICKS_MAX: Readonly<Record<Use, number>> = {
  unused: UNUSED_TICKS_MAX,
  unfinished: REQUEST_TICKS_MAX,
  idle: IDLE_SECONDS,
};

/**
 * How long a connection may be inactive, if there is a limit here: the HTTP server has its own time limits for what was
 * handed over, unless the client doesn't read the answer.
 */
export function idleTicksMax(state: ConnectionState, use: Use, hasUnsent: boolean): number | undefined {
  if (state === "open") return OPEN_TICKS_MAX[use];
  if (state === "waiting") return UNREAD_ANSWER_TICKS_MAX;
  if (hasUnsent) return UNSENT_TICKS_MAX;
  return state === "ended" ? ENDED_TICKS_MAX : undefined;
}
