/** The address where the HTTP server of a redirect process listens for the fast lane. */
export const LOOPBACK = "127.0.0.1";
