/** Every address of a host name; rejects when there is none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/**
 * Asks the name servers from the event loop. The resolver of the C library would hold a thread of the pool for each
 * name whose server is silent, and file access waits for the same few threads.
 */
export const resolveHost: ResolveHost = async (hostname) => {
  const answers = await Bun.dns.lookup(hostname, { backend: "c-ares" });
  return answers.map(({ address }) => address);
};
