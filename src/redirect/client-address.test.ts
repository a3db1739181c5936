import { describe, expect, test } from "bun:test";
import { networkOf } from "#kernel/network-address.ts";
import { forwardedAddressOf, socketAddressOf } from "./client-address.ts";

describe("the client address", () => {
  test.each([
    ["127.0.0.1", "127.0.0.1"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["::FFFF:203.0.113.9", "203.0.113.9"],
    ["2001:db8::1", "2001:db8::1"],
    ["::1", "::1"],
  ])("of the socket %s is %s", (socket, expected) => {
    expect(socketAddressOf(socket)).toBe(expected);
  });

  test.each([
    ["1.1.1.1", 1, "1.1.1.1"],
    ["9.9.9.9, 1.1.1.1", 1, "1.1.1.1"],
    ["9.9.9.9, 8.8.8.8, 1.1.1.1", 1, "1.1.1.1"],
    ["9.9.9.9, 1.1.1.1, 10.0.0.2", 2, "1.1.1.1"],
    ["1.1.1.1", 3, "1.1.1.1"],
    ["9.9.9.9,1.1.1.1,10.0.0.3 , 10.0.0.2", 3, "1.1.1.1"],
    ["1.1.1.1:4711", 1, "1.1.1.1"],
    ["[2001:db8::1]:4711", 1, "2001:db8::1"],
    ["2001:db8::1", 1, "2001:db8::1"],
    ["::ffff:1.1.1.1", 1, "1.1.1.1"],
    ["::ffff:999.1.1.1", 1, undefined],
    ["01.1.1.1", 1, undefined],
    ["", 1, undefined],
    ["unknown", 1, undefined],
    ["1.1.1.1, unknown", 1, undefined],
    ["1.1.1.1, <script>", 1, undefined],
    ["1.1.1.1,", 1, undefined],
  ])("behind proxies, from %j with %d hops, is %s", (forwardedFor, hops, expected) => {
    expect(forwardedAddressOf(forwardedFor, hops)).toBe(expected as string);
  });

  test("entries that a client adds at the front change nothing", () => {
    for (const forged of ["6.6.6.6", "6.6.6.6, 7.7.7.7", "unknown", "", "::1, ::1, ::1"]) {
      expect(forwardedAddressOf(`${forged}, 1.1.1.1, 10.0.0.9`, 2)).toBe("1.1.1.1");
    }
  });
});

describe("the network that is counted", () => {
  test.each([
    ["203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002::9", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::A", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8::5:6:7:8:9", "2001:db8:0:5::/64"],
    ["::1", "0:0:0:0::/64"],
    ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ])("of %s is %s", (address, expected) => {
    expect(networkOf(address)).toBe(expected);
  });
});
