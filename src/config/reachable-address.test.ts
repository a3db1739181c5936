import { expect, test } from "bun:test";
import { findUnexpectedAddress } from "./reachable-address.ts";

test.each([
  ["0.0.0.0", "http://localhost:8080", "http://192.168.1.5:8080"],
  ["::", "http://localhost:8080", "http://192.168.1.5:8080"],
  ["192.168.1.7", "http://localhost:8080", "http://192.168.1.7:8080"],
  ["2001:db8::1", "http://127.0.0.1:8080", "http://[2001:db8::1]:8080"],
  ["127.0.0.1", "http://localhost:8080", null],
  ["localhost", "http://localhost:8080", null],
  ["::1", "http://localhost:8080", null],
  ["0.0.0.0", "https://s.example", null],
  ["0.0.0.0", "http://192.168.1.5:8080", null],
])("listening on %s with the base URL %s is reported as %p", (host, baseUrl, address) => {
  expect(findUnexpectedAddress({ host, port: 8080, baseUrl }, ["192.168.1.5"])).toBe(address);
});
