import { isIP } from "node:net";

const HOST_NAME = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

/** Pages on an IP address count as no referrer. */
export const isReferrer = (name: string): boolean => HOST_NAME.test(name) && isIP(name) === 0;

/** Of an address, a host with a port or in capitals, a name in its own script, or a pattern for everything below one. */
export function nearestReferrer(text: string): string | undefined {
  const [, host = ""] = /^(?:[a-z-]+:\/\/)?(?:\*?\.)?([^/?#]+)/i.exec(text.trim()) ?? [];
  const name = URL.parse(`https://${host}`)?.hostname.replace(/\.$/, "") ?? "";
  return isReferrer(name) ? name : undefined;
}
