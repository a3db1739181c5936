import type { Reader, Response } from "maxmind";

/** Finds where the tree of a database ends for an IPv4 address; addresses that end in one place have one record. */
export type AddressTree = (address: number) => number;

type Metadata = Pick<Reader<Response>["metadata"], "nodeCount" | "recordSize" | "ipVersion">;
type ReadChild = (node: number, bit: number) => number;

const ADDRESS_BITS = 32;
// In a tree of IPv6 addresses, those of IPv4 lie below so many zeros.
const LEADING_ZEROS = 96;

/** The library makes an array of each address and calls a function for each bit, which costs several times as much. */
export function openAddressTree(bytes: Uint8Array, { nodeCount, recordSize, ipVersion }: Metadata): AddressTree {
  const childOf = childReader(bytes, recordSize);
  let root = 0;
  for (let bit = 0; ipVersion === 6 && bit < LEADING_ZEROS && root < nodeCount; bit += 1) root = childOf(root, 0);
  return (address) => {
    let node = root;
    for (let bit = ADDRESS_BITS - 1; bit >= 0 && node < nodeCount; bit -= 1)
      node = childOf(node, (address >>> bit) & 1);
    return node;
  };
}

/** A node is two numbers side by side; of 28 bits, the middle byte holds the highest four of both. */
function childReader(bytes: Uint8Array, recordSize: number): ReadChild {
  const byte = (at: number): number => bytes[at] ?? 0;
  const number24 = (at: number): number => (byte(at) << 16) | (byte(at + 1) << 8) | byte(at + 2);
  switch (recordSize) {
    case 24:
      return (node, bit) => number24(node * 6 + bit * 3);
    case 28:
      return (node, bit) => {
        const middle = byte(node * 7 + 3);
        return number24(node * 7 + bit * 4) + (bit === 0 ? middle >> 4 : middle & 15) * 0x1000000;
      };
    default:
      return (node, bit) => number24(node * 8 + bit * 4) * 256 + byte(node * 8 + bit * 4 + 3);
  }
}
