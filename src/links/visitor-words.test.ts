import { describe, expect, test } from "bun:test";
import { countryCodes } from "#contract/visitor-words.ts";
import { findWordProblem, type WordCondition } from "./visitor-words.ts";

const suggestion = (name: WordCondition, value: string): string | undefined =>
  /Did you mean "(.+)"\?$/.exec(findWordProblem(name, value) ?? "")?.[1];

describe("a word that no visitor can have is refused, and the nearest is named:", () => {
  test.each<[WordCondition, string, string]>([
    ["country", "fr", "FR"],
    ["country", " DE ", "DE"],
    ["country", "UK", "GB"],
    ["country", "DD", "DE"],
    ["country", "de-AT", "AT"],
    ["country", "Germany", "DE"],
    ["country", "germny", "DE"],
    ["country", "Chda", "TD"],
    ["country", "Mail", "ML"],
    ["country", "UNITED STATES", "US"],
    ["country", "USA", "US"],
    ["country", "Turkey", "TR"],
    ["country", "DEU", "DE"],
    ["country", "America", "US"],
    ["country", "scotland", "GB"],
    ["country", "Cote d'Ivoire", "CI"],
    ["language", "DE", "de"],
    ["language", "de-AT", "de"],
    ["language", "zh_Hant_TW", "zh"],
    ["language", "German", "de"],
    ["language", "Portugese", "pt"],
    ["language", "Romanian", "ro"],
    ["language", "jp", "ja"],
    ["referrer", "https://news.example/", "news.example"],
    ["referrer", "News.Example", "news.example"],
    ["referrer", "example.com:8080", "example.com"],
    ["referrer", "example.com/path?a=b", "example.com"],
    ["referrer", "example.com.", "example.com"],
    ["referrer", "*.example.com", "example.com"],
    ["referrer", "münchen.example", "xn--mnchen-3ya.example"],
    ["source", "QR", "qr"],
    ["device", "Mobile", "mobile"],
  ])("%s %s: %s", (name, value, nearest) => {
    expect(suggestion(name, value)).toBe(nearest);
    expect(findWordProblem(name, nearest)).toBe(null);
  });
});

test.each<[WordCondition, string, string]>([
  ["country", "XX", "such as DE"],
  ["country", "ZZ", "such as DE"],
  ["country", "Atlantis", "such as DE"],
  ["country", "Asia", "such as DE"],
  ["country", "Euro", "such as DE"],
  ["country", "", "such as DE"],
  ["language", "qq", "such as de"],
  ["language", "und", "such as de"],
  ["language", "", "such as de"],
  ["language", "gibberish", "such as de"],
  ["referrer", "", "such as example.com"],
  ["referrer", "a b", "such as example.com"],
  ["referrer", "192.0.2.1", "such as example.com"],
  ["referrer", "192.0.2.1:80", "such as example.com"],
])("what resembles nothing gets an example: %s %s", (name, value, example) => {
  expect(findWordProblem(name, value)).toEndWith(`${example}.`);
});

test("every country that the console offers can be asked for", () => {
  for (const code of countryCodes) expect([code, findWordProblem("country", code)]).toEqual([code, null]);
});
