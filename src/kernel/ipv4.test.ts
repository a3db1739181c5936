import { expect, test } from "bun:test";
import { isIPv4 } from "node:net";
import fc from "fast-check";
import { ipv4NumberOf } from "./ipv4.ts";

test("an IPv4 address is the number that its bytes make", () => {
  expect(["0.0.0.0", "0.0.0.1", "1.2.3.4", "127.0.0.1", "255.255.255.255"].map(ipv4NumberOf)).toEqual([
    0, 1, 0x01020304, 0x7f000001, 0xffffffff,
  ]);
});

test("what is an IPv4 address, Node says the same", () => {
  const byte = fc.oneof(
    fc.integer({ min: 0, max: 300 }).map(String),
    fc.constantFrom("", "01", "00", "-1", "1e1", " 1", "x"),
  );
  const text = fc.oneof(
    fc.ipV4(),
    fc.array(byte, { maxLength: 5 }).map((bytes) => bytes.join(".")),
    fc.string(),
  );
  fc.assert(
    fc.property(text, (address) => {
      expect([address, ipv4NumberOf(address) >= 0]).toEqual([address, isIPv4(address)]);
    }),
    { numRuns: 2000 },
  );
});
