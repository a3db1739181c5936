import { expect, test } from "bun:test";
import fc from "fast-check";
import { primaryLanguageOf } from "./language.ts";

test("the best liked language is taken, without its region", () => {
  const cases: Readonly<Record<string, string>> = {
    "de-DE,de;q=0.9,en;q=0.8": "de",
    "en-US": "en",
    "EN-us": "en",
    "fr;q=0.5, en;q=0.9": "en",
    "fr;q=0.5,en;q=0.5": "fr",
    "fr;q=0.50,en": "en",
    "zh-Hant-TW, zh;q=0.9": "zh",
    "fil-PH,fil;q=0.9": "fil",
    " de ; q=1.000 ": "de",
    "*": "",
    "*, de;q=0.1": "de",
    "de;q=0": "",
    "de;q=0,en;q=0.001": "en",
    "de;q=7, en;q=0.1": "en",
    "x-private, i-klingon": "",
    "deutsch, en;q=0.3": "en",
    "": "",
    ",,;q=": "",
  };
  for (const [header, language] of Object.entries(cases))
    expect([header, primaryLanguageOf(header)]).toEqual([header, language]);
});

test("whatever is sent, the answer is two or three small letters or nothing", () => {
  const part = fc.oneof(fc.string(), fc.constantFrom("de", "EN-us", "*", ";q=0.5", ";q=", ",", "-", "\t"));
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      expect(primaryLanguageOf(parts.join(""))).toMatch(/^(?:[a-z]{2,3})?$/);
    }),
  );
});
