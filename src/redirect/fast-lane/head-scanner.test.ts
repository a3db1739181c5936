import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type HeadKind, HeadScanner } from "./head-scanner.ts";

const scanner = new HeadScanner(["user-agent", "dnt"]);
const HOST = "Host: s.example\r\n";
const scan = (text: string, start = 0): HeadKind => scanner.scan(Buffer.from(text, "latin1"), start);
const get = (target: string, fields = ""): string => `GET ${target} HTTP/1.1\r\n${HOST}${fields}\r\n`;

describe("a plain head", () => {
  test("has slug, URL, headers and end", () => {
    const before = get("/other");
    expect(scan(`${before}${get("/a-B_9?x=1&y", "USER-agent: a b\r\nDNT:1\r\n")}rest`, before.length)).toBe("plain");
    expect(scanner).toMatchObject({ slug: "a-B_9", url: "/a-B_9?x=1&y", bodyBytes: 0, isHead: false, isLast: false });
    expect([scanner.get("user-agent"), scanner.get("dnt"), scanner.get("host")]).toEqual(["a b", "1", "s.example"]);
    expect(scanner.end).toBe(before.length + get("/a-B_9?x=1&y", "USER-agent: a b\r\nDNT:1\r\n").length);
  });

  test("doesn't keep headers of the previous one", () => {
    scan(get("/a", "DNT: 1\r\n"));
    expect(scan(get("/a"))).toBe("plain");
    expect(scanner.get("dnt")).toBeNull();
  });

  test("has its own host, whatever the previous one had", () => {
    for (const host of ["s.example", "s.example", "t.example", "t.example:80", "s.example", "s.examplf"]) {
      expect(scan(get("/a").replace("s.example", host))).toBe("plain");
      expect([scanner.host, scanner.get("host")]).toEqual([host, host]);
    }
    for (let times = 0; times < 2; times += 1) expect(scan(get("/a").replace("s.example", "s example"))).toBe("odd");
  });

  test("refuses to look up a header that wasn't scanned", () => {
    scan(get("/a", "Cookie: a\r\n"));
    expect(() => scanner.get("cookie")).toThrow("cookie");
  });

  test("says whether the connection closes", () => {
    for (const [value, isLast] of [
      ["close", true],
      ["Close", true],
      ["keep-alive", false],
      ["Keep-Alive", false],
    ]) {
      expect(scan(get("/a", `Connection: ${value}\r\n`))).toBe("plain");
      expect(scanner.isLast).toBe(isLast === true);
    }
  });

  test("has no body, whatever its headers", () => {
    const line = fc.oneof(
      fc.constantFrom("Content-Length: 5", "content-length:5", "Transfer-Encoding: chunked", "TRANSFER-ENCODING:x"),
      fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: 30 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const text = get("/a", lines.map((each) => `${each}\r\n`).join(""));
        if (scan(text) !== "plain") return;
        const head = text.slice(0, scanner.end);
        expect(head.indexOf("\r\n\r\n")).toBe(head.length - 4);
        expect(head).not.toMatch(/\n\s*(?:content-length|transfer-encoding)\s*:/i);
        expect(head).toMatch(/^(?:[!-~]+ ?[ -~]*\r\n)+\r\n$/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a head is only framed", () => {
  test.each([
    ["for another path", get("/a/b")],
    ["for the root", get("/")],
    ["for a preview", get("/a+")],
    ["with an encoded slug", get("/%61")],
    ["with a quote in the query", get("/a?'")],
    ["with an overlong slug", get(`/${"a".repeat(65)}`)],
    ["for another method", get("/a").replace("GET", "HEAD")],
    ["with an empty body", get("/a", "Content-Length: 0\r\n")],
    ["for an unknown method", get("/a").replace("GET", "m-any")],
    ["with a wanted header twice", get("/a", "DNT: 1\r\ndnt: 1\r\n")],
    ["with an empty value", get("/a", "X:\r\n")],
    ["with spaces around a value", get("/a", "X:  a \r\n")],
    ["with a tab in a value", get("/a", "X: a\tb\r\n")],
    ["with Latin-1 in a value", get("/a", "X: \xfc\r\n")],
  ])("%s", (_what, text) => {
    expect(scan(text)).toBe("framed");
    expect([scanner.end, scanner.bodyBytes]).toEqual([text.length, 0]);
  });

  test.each(["GET", "POST"])("with a body of known length: %s", (method) => {
    expect(scan(get("/a", "Content-Length: 12\r\n").replace("GET", method))).toBe("framed");
    expect(scanner.bodyBytes).toBe(12);
  });
});

describe("a head is odd", () => {
  test.each([
    ["without a host", "GET /a HTTP/1.1\r\n\r\n"],
    ["with two hosts", get("/a", HOST)],
    ["with a host that is none", get("/a").replace("s.example", "s example")],
    ["of HTTP/1.0", get("/a").replace("1.1", "1.0")],
    ["with an absolute target", get("http://s.example/a")],
    ["with a space too many", get("/a").replace("GET ", "GET  ")],
    ["with a method that is none", get("/a").replace("GET", "GÉT")],
    ["with a bare line feed", get("/a", "X: y\n")],
    ["with a bare carriage return", get("/a", "X: y\rz\r\n")],
    ["with a folded value", get("/a", "X: y\r\n z\r\n")],
    ["with a space before the colon", get("/a", "X : y\r\n")],
    ["with a name that is none", get("/a", "X\xfc: y\r\n")],
    ["without a name", get("/a", ": y\r\n")],
    ["without a colon", get("/a", "X\r\n")],
    ["with a control character", get("/a", "X: \x00\r\n")],
    ["with a length that is no number", get("/a", "Content-Length: +1\r\n").replace("GET", "POST")],
    ["with two lengths", get("/a", "Content-Length: 1\r\nContent-Length: 1\r\n").replace("GET", "POST")],
    ["with a transfer coding", get("/a", "Transfer-Encoding: chunked\r\n")],
    ["that expects something", get("/a", "Expect: 100-continue\r\n")],
    ["that would upgrade", get("/a", "Upgrade: h2c\r\n")],
    ["with another connection option", get("/a", "Connection: close, te\r\n")],
    ["with too many fields", get("/a", "X: y\r\n".repeat(65))],
    ["beyond 8 KiB", get("/a", `X: ${"y".repeat(8192)}\r\n`)],
    ["that is no head", "\r\n\r\n"],
  ])("%s", (_what, text) => {
    expect(scan(text)).toBe("odd");
  });
});
