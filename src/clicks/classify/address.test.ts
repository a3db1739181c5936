import { expect, test } from "bun:test";
import { plainAddressOf } from "./address.ts";

test("an IPv4 address is the same visitor in every spelling a socket or a proxy uses", () => {
  for (const address of ["203.0.113.9", "::ffff:203.0.113.9", "::FFFF:203.0.113.9", "::ffff:cb00:7109"]) {
    expect(plainAddressOf(address)).toBe("203.0.113.9");
  }
});

test("an IPv6 address loses its zone only", () => {
  expect(plainAddressOf("2001:db8::1")).toBe("2001:db8::1");
  expect(plainAddressOf("fe80::1%eth0")).toBe("fe80::1");
  expect(plainAddressOf("")).toBe("");
});
