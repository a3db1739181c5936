import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { originTextOf, referrerHostOf } from "./referrer.ts";

const own = new Set(["s.example", "localhost:8080"]);
const hostOf = (referer: string): string => referrerHostOf(originTextOf(referer), own);

describe("the referrer", () => {
  test("is the host name of the page and nothing else of its address", () => {
    expect(hostOf("https://news.example/secret/path?session=1#x")).toBe("news.example");
    expect(hostOf("https://user:password@News.Example:8443/a")).toBe("news.example");
    expect(hostOf("http://news.example.")).toBe("news.example");
    expect(hostOf("https://bücher.example/")).toBe("xn--bcher-kva.example");
    expect(hostOf("android-app://com.google.android.gm/")).toBe("com.google.android.gm");
    expect(hostOf("http://intranet/wiki")).toBe("intranet");
    expect(hostOf("HTTPS://NEWS.EXAMPLE")).toBe("news.example");
    expect(hostOf("https://news.example\\@other.example/")).toBe("news.example");
  });

  test("is nothing for pages of our own", () => {
    for (const page of [
      "https://s.example/abc",
      "https://S.EXAMPLE./",
      "http://s.example:81/",
      "http://localhost:8080/console",
    ]) {
      expect(hostOf(page)).toBe("");
    }
    expect(hostOf("http://localhost:3000/")).toBe("localhost");
  });

  test("is nothing for an IP address in any spelling, which could be the visitor's own", () => {
    for (const host of [
      "203.0.113.9",
      "203.0.113.9:8080",
      "[2001:db8::1]",
      "0xCB007109",
      "3405803785",
      "203.0.113.9.",
    ]) {
      expect(hostOf(`http://${host}/`)).toBe("");
    }
  });

  test("is nothing where the header is no address of a page", () => {
    for (const text of [
      "",
      "about:blank",
      "news.example",
      "//news.example/",
      "javascript:alert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      "https://",
      "https:///path",
      "https://a b/",
      "https://%zz/",
      `https://${"a".repeat(300)}.example/`,
    ]) {
      expect([text, hostOf(text)]).toEqual([text, ""]);
    }
  });

  test("whatever is sent, the answer is a host name or nothing", () => {
    const referer = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.string().map((text) => `https://${text}`),
    );
    fc.assert(
      fc.property(referer, (text) => {
        expect(hostOf(text)).toMatch(/^[a-z0-9_.-]{0,255}$/);
      }),
    );
  });
});
