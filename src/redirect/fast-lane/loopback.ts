/** Where the HTTP server of a redirect process listens, and from where the lane connects to it. */
export const LOOPBACK = "127.0.0.1";
