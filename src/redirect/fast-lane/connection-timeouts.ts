import { IDLE_SECONDS } from "../keep-alive.ts";
import type { ConnectionState } from "./connection-state.ts";

// A tick is a second.
const REQUEST_TICKS_MAX = 10;
const UNREAD_ANSWER_TICKS_MAX = 10;
const ENDED_TICKS_MAX = 2;
const UNSENT_TICKS_MAX = 60;

/** Of a connection that isn't waiting for an answer. */
export type Use = "unused" | "unfinished" | "idle";
const OPEN_TICKS_MAX: Readonly<Record<Use, number>> = {
  // Browsers and proxies open spare connections, and keep them as long as idle ones. They must close them first: a request
  // that is reset on one is often not repeated.
  unused: IDLE_SECONDS,
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
