import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

export interface IpNetwork {
  readonly first: IpAddress;
  readonly prefixBits: number;
}

const CIDR = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i;

const bitsOf = (address: IpAddress): number => address.toByteArray().length * 8;

const DOTTED_TAIL = /:(\d+)\.(\d+)\.(\d+)\.(\d+)(?=%|$)/;

const hexPair = (high: string, low: string): string => (Number(high) * 256 + Number(low)).toString(16);

/** Parses an address; an IPv4 address mapped into IPv6 is returned as IPv4. */
export function findIpAddress(text: string): IpAddress | null {
  // Other spellings, such as octal ones, mean different addresses to different programs.
  if (isIP(text) === 0) return null;
  // ipaddr.js takes `::1.2.3.4` for `::ffff:1.2.3.4`, which is another address.
  return ipaddr.process(text.replace(DOTTED_TAIL, (_, a, b, c, d) => `:${hexPair(a, b)}:${hexPair(c, d)}`));
}

/** A network such as `10.0.0.0/8`, or a single address; nothing where bits are set behind the prefix. */
export function findIpNetwork(text: string): IpNetwork | null {
  const [, addressText = "", prefixText] = CIDR.exec(text) ?? [];
  const first = findIpAddress(addressText);
  if (first === null || (first.kind() === "ipv4") !== (isIP(addressText) === 4)) return null;
  const prefixBits = prefixText === undefined ? bitsOf(first) : Number(prefixText);
  if (prefixBits > bitsOf(first)) return null;
  const binary = first.toByteArray().map((byte) => byte.toString(2).padStart(8, "0"));
  return binary.join("").slice(prefixBits).includes("1") ? null : { first, prefixBits };
}

export const isSingleAddress = ({ first, prefixBits }: IpNetwork): boolean => prefixBits === bitsOf(first);

export const isWithin = (address: IpAddress, { first, prefixBits }: IpNetwork): boolean =>
  address.kind() === first.kind() && address.match(first, prefixBits);
