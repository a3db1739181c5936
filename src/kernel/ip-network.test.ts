import { describe, expect, test } from "bun:test";
import { findIpAddress, findIpNetwork, isSingleAddress, isWithin } from "./ip-network.ts";

describe("a network", () => {
  test.each(["10.0.0.0/8", "0.0.0.0/0", "192.0.2.1", "192.0.2.1/32", "fd00::/8", "::/0", "2001:db8::1", "FD00::/8"])(
    "may be written %s",
    (text) => expect(findIpNetwork(text)).not.toBeNull(),
  );

  test.each([
    "",
    "10/8",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "10.0.0.1/8",
    "010.0.0.0/8",
    "0x0a.0.0.0/8",
    "fd00::1/8",
    "fd00::/129",
    "::ffff:10.0.0.0/104",
    "localhost",
    "*",
    "fe80::1%lo",
  ])("may not be written %p", (text) => expect(findIpNetwork(text)).toBeNull());

  test("holds the addresses of its own family that share its prefix", () => {
    const within = (address: string, network: string): boolean => {
      const [one, all] = [findIpAddress(address), findIpNetwork(network)];
      if (!one || !all) throw new Error("the test itself is wrong");
      return isWithin(one, all);
    };
    expect(within("10.255.255.255", "10.0.0.0/8")).toBe(true);
    expect(within("11.0.0.0", "10.0.0.0/8")).toBe(false);
    expect(within("::ffff:10.1.2.3", "10.0.0.0/8")).toBe(true);
    expect(within("::a00:1", "10.0.0.0/8")).toBe(false);
    expect(within("10.0.0.1", "::/0")).toBe(false);
  });

  test("of one address is known as such", () => {
    const single = ["192.0.2.1", "192.0.2.1/32", "::1/128", "192.0.2.0/31", "::/127"].map((text) => {
      const network = findIpNetwork(text);
      return network !== null && isSingleAddress(network);
    });
    expect(single).toEqual([true, true, true, false, false]);
  });
});
