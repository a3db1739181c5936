import { isIP } from "node:net";

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/**
 * The address of the visitor. With `proxyHops` trusted proxies in front it is the entry of X-Forwarded-For that the
 * outermost of them added; what stands left of it was sent by the visitor and proves nothing.
 */
export function clientAddressOf(socketAddress: string, forwardedFor: string | null, proxyHops: number): string {
  if (proxyHops > 0 && forwardedFor !== null) {
    const entries = forwardedFor.split(",");
    const address = parseAddress(entries[Math.max(0, entries.length - proxyHops)] ?? "");
    if (address !== undefined) return address;
  }
  return socketAddress.replace(MAPPED_IPV4, "");
}

function parseAddress(entry: string): string | undefined {
  const text = entry.trim();
  const match = WITH_PORT.exec(text);
  const address = (match?.[1] ?? match?.[2] ?? text).replace(MAPPED_IPV4, "");
  return isIP(address) === 0 ? undefined : address;
}
