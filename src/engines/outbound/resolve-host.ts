/** Resolves all addresses of a host name; rejects if there are none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/**
 * Queries the name servers from the event loop. The C library's resolver would block a thread of the pool for each
 * unresponsive name server, and file access needs the same few threads.
 */
export const resolveHost: ResolveHost = async (hostname) => {
  const answers = await Bun.dns.lookup(hostname, { backend: "c-ares" });
  return answers.map(({ address }) => address);
};
