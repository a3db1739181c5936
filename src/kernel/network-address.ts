const NETWORK_GROUPS = 4;

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
