/**
 * How long a connection is kept for another request. Above the 60 s of nginx and most load balancers: whoever closes
 * first must be the client, since a request that meets a closed connection fails (502).
 */
export const IDLE_SECONDS = 75;

export const CLOSE = { Connection: "close" };
/** What clients are told of it. */
export const KEEP_ALIVE = { Connection: "keep-alive", "Keep-Alive": `timeout=${IDLE_SECONDS}` };
