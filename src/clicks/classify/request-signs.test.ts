import { describe, expect, test } from "bun:test";
import { isSpeculative, sourceOf, wantsPrivacy } from "./request-signs.ts";

describe("the signs of a request", () => {
  test("loading ahead is told by any of four headers", () => {
    const ahead: readonly (readonly [string, string])[] = [
      ["Sec-Purpose", "prefetch"],
      ["Sec-Purpose", "prefetch;prerender"],
      ["Sec-Purpose", "prefetch;anonymous-client-ip"],
      ["Purpose", "prefetch"],
      ["Purpose", "Preview"],
      ["X-Moz", "prefetch"],
      ["X-Purpose", "preview"],
    ];
    for (const [name, value] of ahead) expect(isSpeculative(new Headers([[name, value]]))).toBe(true);
    expect(
      isSpeculative(
        new Headers([
          ["sec-purpose", "navigate"],
          ["x-moz", "prefetch"],
        ]),
      ),
    ).toBe(true);
  });

  test("an ordinary visit is not taken for one", () => {
    expect(isSpeculative(new Headers())).toBe(false);
    expect(isSpeculative(new Headers({ purpose: "navigate", "sec-fetch-mode": "navigate" }))).toBe(false);
  });

  test("GPC and DNT count when they are 1", () => {
    expect(wantsPrivacy(new Headers({ "Sec-GPC": "1" }))).toBe(true);
    expect(wantsPrivacy(new Headers({ DNT: "1" }))).toBe(true);
    expect(wantsPrivacy(new Headers({ DNT: "0", "Sec-GPC": "0" }))).toBe(false);
    expect(wantsPrivacy(new Headers())).toBe(false);
  });

  test("a scan is known by its mark in the query, bare or 1", () => {
    for (const query of ["?qr", "?qr=1", "?qr=", "?a=b&qr", "?a=b&qr=1&c=d", "?qr=1#top", "?a=?&qr=1"]) {
      expect(sourceOf(`http://s.example/abc${query}`)).toBe("qr");
      expect(sourceOf(`/abc${query}`)).toBe("qr");
    }
    for (const query of ["", "?", "?qr=0", "?qr=no", "?qrx=1", "?xqr=1", "?a=qr", "?a=?qr=1", "?a=b#&qr=1", "?QR=1"]) {
      expect(sourceOf(`http://s.example/abc${query}`)).toBe("link");
    }
    expect(sourceOf("http://s.example/qr")).toBe("link");
  });
});
