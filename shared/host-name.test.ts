import { expect, test } from "bun:test";
import { hostAndPortOf, hostNameOf, siteOf } from "./host-name.ts";

test.each([
  ["go.acme.example", "go.acme.example"],
  ["GO.Acme.Example.", "go.acme.example"],
  ["go.acme.example:8080", "go.acme.example"],
  ["go.acme.example.:8080", "go.acme.example"],
  ["[::1]:8080", "[::1]"],
  ["[::1]", "[::1]"],
  ["", ""],
])("however it is spelled, a host has one name: %s", (text, name) => {
  expect(hostNameOf(text)).toBe(name);
});

test("the port of the scheme is no part of a host, any other is", () => {
  expect(hostAndPortOf("S.Example.:443", "https:")).toBe("s.example");
  expect(hostAndPortOf("s.example:443", "http:")).toBe("s.example:443");
  expect(hostAndPortOf("s.example.:80", "http:")).toBe("s.example");
  expect(hostAndPortOf("s.example.:8080", "https:")).toBe("s.example:8080");
});

test("a domain is reached on the port of the instance's own", () => {
  expect(siteOf("go.acme.example", "s.example:8080")).toBe("go.acme.example:8080");
  expect(siteOf("go.acme.example", "s.example")).toBe("go.acme.example");
  expect(siteOf(null, "s.example:8080")).toBe("s.example:8080");
});
