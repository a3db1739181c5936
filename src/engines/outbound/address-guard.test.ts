import { describe, expect, test } from "bun:test";
import type { TcpNetConnectOpts } from "node:net";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { RequestFilteringHttpAgent } from "request-filtering-agent";
import { addressGuard } from "./address-guard.ts";

const isAllowed = addressGuard([]);

const blocked = {
  "this network": ["0.0.0.0", "0.1.2.3", "0.255.255.255", "::"],
  loopback: ["127.0.0.1", "127.0.0.2", "127.255.255.254", "::1"],
  private: ["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255"],
  "unique local": ["fc00::1", "fd00::1", "fdff:ffff:ffff::1", "fec0::1"],
  "link-local": ["169.254.0.1", "169.254.169.254", "169.254.170.2", "fe80::1", "fe80::1%lo", "febf::1"],
  metadata: ["168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254", "fd00:42::42"],
  "carrier-grade NAT": ["100.64.0.1", "100.127.255.255"],
  "protocol assignments": ["192.0.0.1", "192.0.0.8", "192.0.0.170", "2001::1", "2001:1ff::1"],
  documentation: ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1", "3fff:fff::1"],
  benchmarking: ["198.18.0.1", "198.19.255.255", "2001:2::1"],
  "relays, AS112 and AMT": ["192.88.99.1", "192.31.196.1", "192.175.48.1", "192.52.193.1", "2620:4f:8000::1"],
  multicast: ["224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
  "class E and broadcast": ["240.0.0.1", "255.255.255.254", "255.255.255.255"],
  "IPv4-mapped": [
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:10.0.0.1",
    "::ffff:a9fe:a9fe",
    "0:0:0:0:0:FFFF:127.0.0.1",
  ],
  "IPv4-translated": ["::ffff:0:127.0.0.1", "::ffff:0:8.8.8.8"],
  "IPv4-compatible": ["::127.0.0.1", "::7f00:1", "::10.0.0.1", "::8.8.8.8"],
  NAT64: ["64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "64:ff9b:1::a00:1"],
  "6to4 and Teredo": ["2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:808:808::", "2001:0:7f00:1::1"],
  "ORCHID, remote IDs": ["2001:10::1", "2001:20::1", "2001:30::1"],
  "discard-only": ["100::1", "100:0:0:1::1"],
  "SRv6 and the unassigned": ["5f00::1", "4000::1", "8000::1", "e000::1", "1::1", "200::1"],
} as const;

const allowed = [
  ...["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255"],
  ...["128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0"],
  ...["198.17.255.255", "198.20.0.0", "223.255.255.255", "168.63.129.15", "::ffff:8.8.8.8"],
  ...["2001:200::1", "2001:4860:4860::8888", "2003::1", "2606:4700::1111", "2a00:1450::1", "3ffe:ffff::1"],
];

describe("an address", () => {
  test.each(Object.entries(blocked))("of the kind %s is blocked", (_, addresses) => {
    expect(addresses.filter(isAllowed)).toEqual([]);
  });

  test("that is public is allowed, right up to the edges of the blocked ranges", () => {
    expect(allowed.filter((address) => !isAllowed(address))).toEqual([]);
  });

  test.each([
    "",
    "localhost",
    "127.1",
    "2130706433",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "8.8.8.8.",
    " 8.8.8.8",
    "8.8.8.8/32",
    "[::1]",
  ])("that is not in canonical form is blocked: %p", (text) => expect(isAllowed(text)).toBe(false));

  test("is treated the same in all IPv6 notations, and when mapped", () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
    const spelled = (address: ipaddr.IPv4 | ipaddr.IPv6): string[] => [
      address.toString(),
      address.toNormalizedString(),
      address.toNormalizedString().toUpperCase(),
    ];
    fc.assert(
      fc.property(bytes, (sixteen) => {
        const six = new ipaddr.IPv6([...sixteen]);
        expect(new Set(spelled(six).map(isAllowed)).size).toBe(1);
        const four = new ipaddr.IPv4([...sixteen.slice(0, 4)]);
        expect(spelled(four.toIPv4MappedAddress()).map(isAllowed)).toEqual(Array(3).fill(isAllowed(four.toString())));
      }),
    );
  });
});

const agent = new RequestFilteringHttpAgent();

/** What another implementation decides before it connects; the socket doesn't exist, whatever the host. */
function isRefusedElsewhere(host: string): boolean {
  let isRefused = false;
  // It rejects every mapped address, even public ones, which we treat as the address they stand for.
  const options = { host: host.replace(/^::ffff:(?=\d+\.)/, ""), path: "/nonexistent/socket" };
  const socket = agent.createConnection(options as unknown as TcpNetConnectOpts, (error) => {
    isRefused = error?.message.includes("is not allowed") ?? false;
  });
  socket.on("error", () => {});
  socket.destroy();
  return isRefused;
}

describe("request-filtering-agent", () => {
  test("rejects nothing that is allowed here", () => {
    const known = [...Object.values(blocked).flat(), ...allowed];
    const refused = known.filter(isRefusedElsewhere);
    expect(refused.length).toBeGreaterThan(60);
    expect(refused.filter(isAllowed)).toEqual([]);
  });

  test("rejects nothing that is allowed here, among random addresses", () => {
    const octets = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map((all) => [...all]);
    const text = fc.oneof(
      octets(4).map((all) => new ipaddr.IPv4(all).toString()),
      octets(16).map((all) => new ipaddr.IPv6(all).toString()),
      octets(4).map((all) => `::ffff:${all.join(".")}`),
      octets(2).map(([a, b]) => `2001:${a?.toString(16)}:${b?.toString(16)}::1`),
    );
    fc.assert(fc.property(text, (address) => !isRefusedElsewhere(address) || !isAllowed(address)));
  });
});

describe("an allowed network", () => {
  test("allows its own addresses and nothing else", () => {
    const guard = addressGuard(["10.0.0.0/8", "127.0.0.1", "fd00::/8"]);
    for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "127.0.0.1", "fd12::1", "8.8.8.8"])
      expect(guard(address)).toBe(true);
    for (const address of ["127.0.0.2", "192.168.0.1", "::1", "fc00::1", "::10.1.2.3"])
      expect(guard(address)).toBe(false);
  });

  test("does not allow metadata and link-local addresses, however wide it is", () => {
    const wide = addressGuard([
      "0.0.0.0/0",
      "::/0",
      "169.254.0.0/16",
      "169.254.169.254/31",
      "fe80::/10",
      "fd00:ec2::/32",
    ]);
    const metadata = [...blocked.metadata, ...blocked["link-local"], "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe"];
    expect(metadata.filter(wide)).toEqual([]);
    expect(wide("127.0.0.1")).toBe(true);
    expect(wide("::1")).toBe(true);
  });

  test("allows a metadata address that is listed explicitly", () => {
    const named = addressGuard(["169.254.169.254/32", "fd00:ec2::254"]);
    expect(named("169.254.169.254")).toBe(true);
    expect(named("fd00:ec2::254")).toBe(true);
    expect(named("169.254.169.253")).toBe(false);
  });

  test("of a NAT64 translator only allows public addresses behind it", () => {
    const guard = addressGuard(["64:ff9b::/96"]);
    expect(guard("64:ff9b::8.8.8.8")).toBe(true);
    for (const address of ["64:ff9b::10.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe"])
      expect(guard(address)).toBe(false);
  });
});
