import { IDLE_SECONDS } from "../keep-alive.ts";
import type { ConnectionState } from "./connection-state.ts";

// A tick is a second.
const REQUEST_TICKS_MAX = 10;
const UNREAD_ANSWER_TICKS_MAX = 10;
const ENDED_TICKS_MAX = 2;
const UNSENT_TICKS_MAX = 60;

/**
 * How long a connection may be inactive, if there is a limit here: the HTTP server has its own time limits for what was
 * handed over, unless the client doesn't read the answer.
 */
export function idleTicksMax(state: ConnectionState, isUnfinished: boolean, hasUnsent: boolean): number | undefined {
  if (state === "open") return isUnfinished ? REQUEST_TICKS_MAX : IDLE_SECONDS;
  if (state === "waiting") return UNREAD_ANSWER_TICKS_MAX;
  if (hasUnsent) return UNSENT_TICKS_MAX;
  return state === "ended" ? ENDED_TICKS_MAX : undefined;
}
