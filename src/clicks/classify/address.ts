const MAPPED_TEXT = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const MAPPED_HEX = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i;

/** An IPv4 address that arrives in IPv6 form (RFC 4291 §2.5.5.2) is the same visitor as without it; zones are local. */
export function plainAddressOf(address: string): string {
  if (!address.includes(":")) return address;
  const text = MAPPED_TEXT.exec(address)?.[1];
  if (text !== undefined) return text;
  const [, high, low] = MAPPED_HEX.exec(address) ?? [];
  if (high !== undefined && low !== undefined) return [...bytesOf(high), ...bytesOf(low)].join(".");
  return address.split("%", 1)[0] ?? "";
}

function bytesOf(group: string): readonly number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 0xff];
}
