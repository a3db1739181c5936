import { isIP } from "node:net";

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;
const NETWORK_GROUPS = 4;

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

/** The unit in which addresses are handed out to one party: an IPv4 address or an IPv6 network of 64 bits. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").toLowerCase().split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  // An embedded IPv4 address fills two of the eight groups.
  const backGroups = back.length + (back.at(-1)?.includes(".") ? 1 : 0);
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - backGroups)).fill("0");
  const groups = [...front, ...zeros, ...back].slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}

function parseAddress(entry: string): string | undefined {
  const text = entry.trim();
  const match = WITH_PORT.exec(text);
  const address = (match?.[1] ?? match?.[2] ?? text).replace(MAPPED_IPV4, "");
  return isIP(address) === 0 ? undefined : address;
}
