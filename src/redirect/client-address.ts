import { isIPv6 } from "node:net";
import { ipv4NumberOf } from "#kernel/ipv4.ts";
import type { RequestText } from "./click-sink.ts";

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** The socket is asked last: that is a system call, and behind a proxy every answer is the same. */
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
 * The address of the visitor, where a trusted proxy names it: the entry of X-Forwarded-For that the outermost of
 * `proxyHops` proxies added. What stands left of it was sent by the visitor and proves nothing.
 */
export function forwardedAddressOf(forwardedFor: string, proxyHops: number): string | undefined {
  const entry = entryOf(forwardedFor, proxyHops).trim();
  if (ipv4NumberOf(entry) !== -1) return entry;
  const match = WITH_PORT.exec(entry);
  const address = socketAddressOf(match?.[1] ?? match?.[2] ?? entry);
  return ipv4NumberOf(address) !== -1 || isIPv6(address) ? address : undefined;
}

/** The address of whoever is connected, as it is written elsewhere. */
export function socketAddressOf(address: string): string {
  return address.startsWith("::") ? address.replace(MAPPED_IPV4, "") : address;
}

/** One proxy, and a visitor who sends no list: then there is nothing to take apart. */
function entryOf(forwardedFor: string, proxyHops: number): string {
  if (!forwardedFor.includes(",")) return forwardedFor;
  const entries = forwardedFor.split(",");
  return entries[Math.max(0, entries.length - proxyHops)] ?? "";
}
