import { describe, expect, test } from "bun:test";
import { guardedClient } from "./guarded-client.ts";

const strict = guardedClient({ allowCidrs: [], allowInsecure: false });
const insecure = guardedClient({ allowCidrs: [], allowInsecure: true });
const intranet = guardedClient({ allowCidrs: ["10.0.0.0/8", "127.0.0.0/8"], allowInsecure: false });

const codeOf = (url: string, client = strict): string | undefined => client.findUrlProblem(url)?.code;

describe("a URL to be called", () => {
  test.each([
    "https://hooks.example/",
    "https://hooks.example:8443/in?key=1",
    "https://hooks.example.",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
    "https://bücher.example/",
    "HTTPS://HOOKS.EXAMPLE",
    `https://hooks.example/${"a".repeat(2048 - 22)}`,
  ])("is accepted: %s", (url) => expect(strict.findUrlProblem(url)).toBeNull());

  test.each([
    ["", "invalid_url"],
    ["hooks.example", "invalid_url"],
    ["//hooks.example", "invalid_url"],
    ["https:", "invalid_url"],
    ["https://", "invalid_url"],
    ["https:hooks.example", "invalid_url"],
    ["https:///hooks.example", "invalid_url"],
    ["https://hooks.example:65536/", "invalid_url"],
    ["https://hooks.example /", "invalid_url"],
    [" https://hooks.example/", "invalid_url"],
    ["https://hooks.example/\n", "invalid_url"],
    ["https://127.0.0\t.1/", "invalid_url"],
    ["https:\\\\hooks.example\\", "invalid_url"],
    ["https://hooks.example/\u202e", "invalid_url"],
    ["https://hooks.example/\ud800", "invalid_url"],
    ["https://1.2.3.256/", "invalid_url"],
    ["https://[::1%25lo]/", "invalid_url"],
    ["https://[fe80::1%lo]/", "invalid_url"],
    ["http://hooks.example/", "scheme_not_allowed"],
    ["ftp://hooks.example/", "scheme_not_allowed"],
    ["file:///etc/passwd", "scheme_not_allowed"],
    ["gopher://hooks.example/", "scheme_not_allowed"],
    ["javascript:alert(1)", "scheme_not_allowed"],
    ["https://user@hooks.example/", "credentials_not_allowed"],
    ["https://user:pass@hooks.example/", "credentials_not_allowed"],
    ["https://@hooks.example/", "credentials_not_allowed"],
    ["https://hooks.example@127.0.0.1/", "credentials_not_allowed"],
    ["https://hooks.example:22/", "host_not_allowed"],
    ["https://hooks.example:25/", "host_not_allowed"],
    ["https://hooks.example:6667/", "host_not_allowed"],
    ["https://hooks..example/", "host_not_allowed"],
    [`https://${"a".repeat(64)}.example/`, "host_not_allowed"],
    ["https://localhost/", "host_not_allowed"],
    ["https://LOCALHOST./", "host_not_allowed"],
    ["https://api.localhost/", "host_not_allowed"],
    ["https://metadata.google.internal/", "host_not_allowed"],
    ["https://printer.local/", "host_not_allowed"],
    ["https://kubernetes/", "host_not_allowed"],
    [`https://hooks.example/${"a".repeat(2048)}`, "too_long"],
    [`https://hooks.example/${"ü".repeat(700)}`, "too_long"],
  ])("is refused: %p as %s", (url, code) => expect(codeOf(url)).toBe(code));

  test("may use http if the operator allows it, but no other scheme", () => {
    expect(codeOf("http://hooks.example/", insecure)).toBeUndefined();
    expect(codeOf("http://127.0.0.1/", insecure)).toBe("host_not_allowed");
    expect(codeOf("http://localhost/", insecure)).toBe("host_not_allowed");
    expect(codeOf("ws://hooks.example/", insecure)).toBe("scheme_not_allowed");
  });

  test("may point to a network that the operator allows", () => {
    for (const url of [
      "https://10.1.2.3/",
      "https://localhost:8443/",
      "https://hooks.internal/",
      "https://[::ffff:10.1.2.3]/",
    ])
      expect(codeOf(url, intranet)).toBeUndefined();
    for (const url of ["https://192.168.0.1/", "https://[::1]/", "https://169.254.169.254/"])
      expect(codeOf(url, intranet)).toBe("host_not_allowed");
  });

  test("is rejected with a human-readable sentence", () => {
    for (const url of ["x", "http://a.example", "https://a@b.example", "https://localhost", "https://10.0.0.1"])
      expect(strict.findUrlProblem(url)?.message).toMatch(/^[A-Z].*\.$/);
  });
});
