import ipaddr from "ipaddr.js";
import {
  findIpAddress,
  findIpNetwork,
  type IpAddress,
  type IpNetwork,
  isSingleAddress,
  isWithin,
} from "#kernel/ip-network.ts";

export type AddressGuard = (address: string) => boolean;

function networks(...texts: readonly string[]): IpNetwork[] {
  return texts.map((text) => {
    const network = findIpNetwork(text);
    if (!network) throw new Error(`"${text}" is not a CIDR network`);
    return network;
  });
}

// Cloud metadata services, which hand out credentials (AWS, Azure, Google, Alibaba, Oracle, Scaleway), and link-local.
const METADATA = networks(
  "169.254.0.0/16",
  "168.63.129.16/32",
  "100.100.100.200/32",
  "192.0.0.192/32",
  "fe80::/10",
  "fd00:ec2::254/128",
  "fd20:ce::254/128",
  "fd00:42::42/128",
);

// ipaddr.js reports unknown ranges as unicast, such as `::127.0.0.1` and the SRv6 range.
const IPV6_GLOBAL = networks("2000::/3");
const IPV6_SPECIAL = networks("2001::/23", "2002::/16", "3fff::/20");
const NAT64 = networks("64:ff9b::/96");

const isIn = (address: IpAddress, list: readonly IpNetwork[]): boolean =>
  list.some((network) => isWithin(address, network));

function isPublic(address: IpAddress): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || (isIn(address, IPV6_GLOBAL) && !isIn(address, IPV6_SPECIAL));
}

/** Allows public addresses, and the networks the operator allows. */
export function addressGuard(allowCidrs: readonly string[]): AddressGuard {
  const allowed = networks(...allowCidrs);
  const named = allowed.filter(isSingleAddress);

  function isAllowed(address: IpAddress): boolean {
    if (isIn(address, named)) return true;
    if (isIn(address, METADATA)) return false;
    // An allowed NAT64 translator must not open a way around the block.
    if (isIn(address, NAT64) && !isAllowed(new ipaddr.IPv4(address.toByteArray().slice(-4)))) return false;
    return isPublic(address) || isIn(address, allowed);
  }

  return (text) => {
    const address = findIpAddress(text);
    return address !== null && isAllowed(address);
  };
}
