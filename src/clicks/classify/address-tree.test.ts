import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { Reader } from "maxmind";
import { openAddressTree } from "./address-tree.ts";

const bundled = import.meta.resolve("@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb");

const textOf = (address: number): string => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");

test("addresses that end in one place have one record, as the library reads it", () => {
  const bytes = readFileSync(fileURLToPath(bundled));
  const reader = new Reader(bytes);
  const leafOf = openAddressTree(bytes, reader.metadata);
  const records = new Map<number, string>();
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffffff }), (address) => {
      const leaf = leafOf(address);
      const record = JSON.stringify(reader.get(textOf(address)));
      expect(records.get(leaf) ?? record).toBe(record);
      records.set(leaf, record);
    }),
    { numRuns: 3000 },
  );
  expect(new Set(records.values()).size).toBeGreaterThan(20);
});

test.each([24, 28, 32])("nodes of two numbers of %d bits are read as they were written", (recordSize) => {
  const nodeCount = 3;
  // Numbers that use the highest bits; of the addresses, the first two bits tell where they end.
  const [a, b, c] = [2 ** (recordSize - 1) + 5, 2 ** recordSize - 1, 0x00abcdef];
  const nodes = [1, 2, a, b, c, nodeCount];
  const bits = nodes.map((node) => node.toString(2).padStart(recordSize, "0"));
  for (let node = 0; recordSize === 28 && node < nodeCount; node += 1) {
    const [left = "", right = ""] = bits.slice(2 * node, 2 * node + 2);
    bits[2 * node] = left.slice(4) + left.slice(0, 4) + right.slice(0, 4);
    bits[2 * node + 1] = right.slice(4);
  }
  const bytes = Uint8Array.from(bits.join("").match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  const leafOf = openAddressTree(bytes, { nodeCount, recordSize, ipVersion: 4 });
  expect([0x00000001, 0x40000000, 0x80000000, 0xffffffff].map(leafOf)).toEqual([a, b, c, nodeCount]);
});
