/**
 * How long an idle connection is kept open. Longer than the 60 s of nginx and most load balancers: the client must close
 * first, because a request sent on a connection that was just closed fails (502).
 */
export const IDLE_SECONDS = 75;

export const CLOSE = { Connection: "close" };
/** Tells clients how long an idle connection is kept. */
export const KEEP_ALIVE = { Connection: "keep-alive", "Keep-Alive": `timeout=${IDLE_SECONDS}` };
