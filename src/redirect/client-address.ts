import { isIPv6 } from "node:net";
import { ipv4NumberOf } from "#kernel/ipv4.ts";
import type { RequestText } from "./click-sink.ts";

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** The socket comes last: it costs a system call, and behind a proxy the address is always the proxy's. */
export function clientAddressOf(
  request: Pick<RequestText, "headers">,
  socketAddress: () => string,
  proxyHops: number,
): string {
  const forwardedFor = proxyHops > 0 ? request.headers.get("x-forwarded-for") : null;
  const forwarded = forwardedFor === null ? undefined : forwardedAddressOf(forwardedFor, proxyHops);
  return forwarded ?? socketAddressOf(socketAddress());
}

/**
 * The client address that a trusted proxy reports: the X-Forwarded-For entry added by the outermost of `proxyHops`
 * proxies. Entries to the left of it were sent by the client and can't be trusted.
 */
export function forwardedAddressOf(forwardedFor: string, proxyHops: number): string | undefined {
  const entry = entryOf(forwardedFor, proxyHops).trim();
  if (ipv4NumberOf(entry) !== -1) return entry;
  const match = WITH_PORT.exec(entry);
  const address = socketAddressOf(match?.[1] ?? match?.[2] ?? entry);
  return ipv4NumberOf(address) !== -1 || isIPv6(address) ? address : undefined;
}

/** The peer address, with IPv4 in its usual form. */
export function socketAddressOf(address: string): string {
  return address.startsWith("::") ? address.replace(MAPPED_IPV4, "") : address;
}

/** Most headers have a single entry, which needs no splitting. */
function entryOf(forwardedFor: string, proxyHops: number): string {
  if (!forwardedFor.includes(",")) return forwardedFor;
  const entries = forwardedFor.split(",");
  return entries[Math.max(0, entries.length - proxyHops)] ?? "";
}
