import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { LinkVisit } from "#contract/resolve.ts";
import { factsOf } from "./facts-of.ts";

const isAccepted = (visit: object): boolean => LinkVisit.safeParse(visit).success;
const languageOf = (language: string): string => factsOf({ language }, "abc", new Set()).language;
const referrerOf = (referrer: string): string => factsOf({ referrer }, "abc", new Set()).referrer;

describe("a dry run accepts what is read of a real visitor, and nothing else:", () => {
  test.each([
    "de",
    "DE-at",
    "gsw",
    "zh-Hant-TW",
    "de; q = 0.8",
    "de ;Q=1.000 , en;q=0.",
    "de-AT,en;q=0.8",
    "*,de;q=0.1",
  ])("the language %j", (language) => {
    expect(isAccepted({ language })).toBe(true);
    expect(languageOf(language)).not.toBe("");
  });

  test.each(["d", "German", "de_AT", "de-", "de;q=1.5", "de;q=2", "de;q=0.1234", "de;q", "de;q=-1"])(
    "not the language %j",
    (language) => {
      expect(isAccepted({ language })).toBe(false);
      expect(languageOf(language)).toBe("");
    },
  );

  test.each([
    "example.com",
    "Example.COM.",
    "intranet",
    "news.example:8080/a?b",
    "http://a_b.example#x",
    "android-app://t.co/",
  ])("the referrer %j", (referrer) => {
    expect(isAccepted({ referrer })).toBe(true);
    expect(referrerOf(referrer)).not.toBe("");
  });

  test.each([
    "ftp://x",
    "file:///x",
    "192.0.2.1",
    "http://3221225985/",
    "https://[2001:db8::1]/",
    "https://",
    "a..b:x",
    "-",
    "about://blank",
  ])("not the referrer %j", (referrer) => {
    expect(isAccepted({ referrer })).toBe(false);
    expect(referrerOf(referrer)).toBe("");
  });

  test("any language", () => {
    const name = fc.constantFrom("d", "de", "deu", "germ", "de-AT", "de-", "de-abcdefghi", "D3", "");
    const weight = fc.constantFrom("", ";q=1", "; q = 0.8", ";q=1.5", ";q=0.1234", ";Q=0.5 ", ";q", ";x=1");
    const part = fc.tuple(name, weight).map((both) => both.join(""));
    fc.assert(fc.property(part, (language) => expect(isAccepted({ language })).toBe(languageOf(language) !== "")));
  });

  test("any referrer", () => {
    const scheme = fc.constantFrom("", "https://", "HTTP://", "android-app://", "ftp://", "file:///", "//");
    const host = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.constantFrom(
        "a",
        "A.b.",
        "a..",
        "[::1]",
        "0x7f.1",
        "_a.b",
        "-a.b",
        "bücher.example",
        "u:p@a.b",
        "a".repeat(255),
      ),
      fc.string({ unit: "grapheme-ascii", maxLength: 8 }).map((text) => text.replaceAll(/\s/g, "")),
    );
    const rest = fc.constantFrom("", "/", "/a?b#c", ":80", ":99999", "?x", "#x", "\\");
    const referrer = fc.tuple(scheme, host, rest).map((parts) => parts.join(""));
    fc.assert(
      fc.property(referrer, (text) =>
        expect([text, isAccepted({ referrer: text })]).toEqual([text, referrerOf(text) !== ""]),
      ),
      { numRuns: 2000 },
    );
  });
});
