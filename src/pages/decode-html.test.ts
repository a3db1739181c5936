import { describe, expect, test } from "bun:test";
import { decodeHtml } from "./decode-html.ts";

const TEXT = "<title>Größe</title>";
const latin = Buffer.from(TEXT, "latin1");
const utf8 = Buffer.from(TEXT);
const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
const withMeta = (meta: string, bytes: Uint8Array): Buffer => Buffer.concat([Buffer.from(`<html>${meta}`), bytes]);

describe("the encoding of a page", () => {
  test("is the one in its header", () => {
    expect(decodeHtml(latin, "text/html; charset=iso-8859-1")).toBe(TEXT);
    expect(decodeHtml(utf8, 'text/html;charset="UTF-8"')).toBe(TEXT);
    expect(decodeHtml(cyrillic, "text/html; Charset=windows-1251")).toBe("Привет");
  });

  test.each([
    "<meta charset=windows-1251>",
    "<META http-equiv=Content-Type content='text/html; charset=windows-1251'>",
  ])("is the one it names: %s", (meta) =>
    expect(decodeHtml(withMeta(meta, cyrillic), "text/html")).toBe(`<html>${meta}Привет`),
  );

  test("is that of its header rather than the one it names, and its byte order mark before both", () => {
    const meta = "<meta charset=windows-1251>";
    expect(decodeHtml(withMeta(meta, utf8), "text/html; charset=utf-8")).toBe(`<html>${meta}${TEXT}`);
    const marked = Buffer.concat([Buffer.from("\ufeff"), utf8]);
    expect(decodeHtml(marked, "text/html; charset=windows-1251")).toBe(TEXT);
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(TEXT, "utf16le")]);
    expect(decodeHtml(wide, "text/html; charset=utf-8")).toBe(TEXT);
  });

  test("can be told from its bytes if it names none, or one that can't be", () => {
    for (const type of ["", "text/html", "text/html; charset=nonsense"]) {
      expect(decodeHtml(latin, type)).toBe(TEXT);
      expect(decodeHtml(utf8, type)).toBe(TEXT);
    }
    const meta = "<meta charset=utf-16>";
    expect(decodeHtml(withMeta(meta, utf8), "text/html")).toBe(`<html>${meta}${TEXT}`);
  });

  test("is UTF-8 even if it is cut off within a letter", () => {
    expect(decodeHtml(Buffer.from("Größe 🐟").subarray(0, -2), "text/html")).toBe("Größe \ufffd");
  });
});
