import { expect, test } from "bun:test";
import { domainToUnicode } from "node:url";
import fc from "fast-check";
import { decodePunycode } from "./punycode.ts";
import { showAddress, showHost } from "./shown-host.ts";

const asciiOf = (host: string): string => new URL(`https://${host}/`).hostname;

test.each([
  "example.com",
  "bücher.example",
  "señor.example",
  "ελλάδα.gr",
  "пример.рф",
  "президент.рф",
  "сор.рф",
  "сор.ru",
  "кот.com",
  "москва.ru",
  "яндекс.com",
  "правда.example",
  "日本語.jp",
  "東京ラーメン.jp",
  "abc日本.jp",
  "한국abc.kr",
  "中文.com",
  "العربية.example",
  "हिन्दी.example",
  "ไทย.example",
])("an honest name is shown in its own letters: %s", (host) => {
  expect(showHost(asciiOf(host))).toEqual({ text: host, isDeceptive: false });
});

test.each([
  ["аррӏе.com", "Cyrillic that reads as Latin"],
  ["раураӏ.com", "the same"],
  ["сhase.com", "Cyrillic among Latin"],
  ["gооgle.com", "the same"],
  ["ανιο.com", "Greek that reads as Latin"],
  ["հոո.com", "Armenian that reads as Latin"],
  ["ɡoogle.com", "a phonetic letter"],
  ["exampleノlogin.com", "a letter that looks like a slash"],
  ["abcдеж.com", "Latin and Cyrillic"],
  ["москвαж.com", "Cyrillic and Greek"],
  ["ไทยдом.com", "Thai and Cyrillic"],
  ["login.аррӏе.com", "a label below"],
  ["ᏢᎪᎩ.com", "a script that is in nobody's everyday use"],
])("a deceptive name stays in punycode: %s, %s", (host) => {
  const ascii = asciiOf(host);
  expect(ascii).toContain("xn--");
  expect(showHost(ascii)).toEqual({ text: ascii, isDeceptive: true });
});

test("a whole address keeps all but its host", () => {
  expect(showAddress("https://xn--bcher-kva.example:8080/xn--a?b=xn--bcher-kva#c")).toEqual({
    text: "https://bücher.example:8080/xn--a?b=xn--bcher-kva#c",
    isDeceptive: false,
  });
  expect(showAddress("https://[::1]:80/").text).toBe("https://[::1]:80/");
  expect(showAddress("no address").text).toBe("no address");
});

test("names are decoded as the runtime decodes them", () => {
  const letter = fc.constantFrom(..."abcxyz09-äßéñжяαω日本語한글กไש中".split(""));
  fc.assert(
    fc.property(fc.array(letter, { minLength: 1, maxLength: 20 }), (letters) => {
      const host = URL.canParse(`https://${letters.join("")}.example/`) ? asciiOf(`${letters.join("")}.example`) : "";
      const [label = ""] = host.split(".");
      fc.pre(label.startsWith("xn--"));
      expect(decodePunycode(label.slice(4))).toBe(domainToUnicode(label));
    }),
  );
});

test("what no encoder makes is refused, whatever it is", () => {
  expect(decodePunycode("99999999")).toBeNull();
  expect(decodePunycode("a-ü")).toBeNull();
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (text) => {
      const decoded = decodePunycode(text);
      expect(decoded === null || typeof decoded === "string").toBe(true);
    }),
  );
});
