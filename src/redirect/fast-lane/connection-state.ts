/**
 * `open`: ready to read the next request. `waiting`: our own answers can't be sent yet. `queued`: the request waits to
 * be passed on. `called`: control is answering. `handed over`: the HTTP server is answering. `ended`: nothing more is
 * written, and what the client still sends is discarded: closing the connection with unread data would reset it and
 * could lose the last answer (RFC 9112 §9.6).
 */
export type ConnectionState = "open" | "waiting" | "queued" | "called" | "handed over" | "ended";
