import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type Click,
  clickTexts,
  lineFields,
  parseClick,
  storedFields,
  textGroups,
} from "#engines/clicks/click-format.ts";
import { scanLines } from "#engines/clicks/click-lines.ts";
import { textsOfAll } from "#test/support/click-slices.ts";
import { cleanText, TEXT_CHARACTERS_MAX } from "./clean-text.ts";
import { encodeClick, openClickShapes } from "./click-shapes.ts";
import { privacyPage } from "./privacy-page.ts";

const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 600 }),
  fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 600 }),
  fc.string({ unit: fc.constantFrom("\t", "\n", "\r", "\0", "\x01", "\x7f", "\x85", "\u2028", " ", "a", "\ud83d") }),
  fc.string({ unit: fc.constantFrom("😀", "é", "x"), minLength: 200, maxLength: 600 }),
);

const click = fc.record({
  at_ms: fc.nat(253_402_300_799_999),
  account_no: fc.nat(0xff_ff_ff_ff),
  link_no: fc.nat(0xff_ff_ff_ff),
  bot: fc.boolean(),
  source: fc.constantFrom("link", "qr"),
  visitor: fc.oneof(
    fc.constant(""),
    fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 16, maxLength: 16 }),
  ),
  ...Object.fromEntries(clickTexts.map((name) => [name, hostileText])),
}) as unknown as fc.Arbitrary<Click>;

describe("a click line", () => {
  test("has its fields in their agreed order", () => {
    expect(lineFields.join(" ")).toBe("at_ms account_no link_no flags visitor place client referrer campaign");
    expect(textGroups.map(({ texts }) => texts.map(({ name }) => name).join(" "))).toEqual([
      "country region city",
      "language device browser os",
      "referrer",
      "utm_source utm_medium utm_campaign utm_term utm_content domain rule",
    ]);
  });

  test("and its definitions are clean lines whatever the click holds, and survive UTF-8", () => {
    fc.assert(
      fc.property(click, (hostile) => {
        const shapes = openClickShapes();
        const encoded = encodeClick(hostile, shapes);
        expect(scanLines(Buffer.from(encoded.line), 1).count).toBe(1);
        expect(encoded.uses).toHaveLength(textGroups.length);
        for (const [index, { line }] of encoded.uses.entries()) {
          const fields = line.slice(0, -1).split("\t");
          expect(fields).toHaveLength(1 + (textGroups[index]?.texts.length ?? 0));
          expect(line.indexOf("\n")).toBe(line.length - 1);
          expect(line.slice(0, -1).replaceAll("\t", "")).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u);
          expect(fields.every((field) => Array.from(field).length <= TEXT_CHARACTERS_MAX)).toBe(true);
          expect(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(line))).toBe(line);
        }
        const parsed = parseClick(encoded.line, textsOfAll([encoded]));
        expect(encodeClick(parsed, shapes)).toEqual(encoded);
      }),
      { numRuns: 60 },
    );
  });

  test("keeps a clean click as it is", () => {
    const clean: Click = {
      at_ms: 1_781_690_000_123,
      account_no: 7,
      link_no: 42,
      bot: false,
      visitor: "0123456789abcdef",
      country: "DE",
      region: "DE-BE",
      city: "Köln",
      referrer: "news.example",
      language: "de",
      device: "mobile",
      browser: "Safari",
      os: "iOS",
      source: "qr",
      utm_source: "Zeitung & Co",
      utm_medium: "",
      utm_campaign: "日本語",
      utm_term: '"quoted" \\ #1',
      utm_content: "",
      domain: "go.acme.example",
      rule: "test/a",
    };
    const encoded = encodeClick(clean, openClickShapes());
    expect(parseClick(encoded.line, textsOfAll([encoded]))).toEqual(clean);
  });

  test("with too few or too many fields, or without its end, is refused", () => {
    const { line } = encodeClick(fc.sample(click, 1)[0] as Click, openClickShapes());
    const parse = (text: string) => () => parseClick(text, () => undefined);
    expect(parse(line.slice(0, -1))).toThrow("not a click");
    expect(parse(`x\t${line}`)).toThrow("10 fields");
    expect(parse("\n")).toThrow("1 fields");
  });

  test("whose texts were lost has empty ones, and one of an earlier format lacks what came later", () => {
    const [lost, older] = [() => undefined, () => "DE"].map((textsOf) =>
      parseClick("1\t2\t3\t0\t\t1\t1\t1\t1\n", textsOf),
    );
    expect(clickTexts.map((name) => lost?.[name])).toEqual(clickTexts.map(() => ""));
    expect([older?.country, older?.region, older?.city]).toEqual(["DE", "", ""]);
  });
});

describe("text numbers", () => {
  test("are the same for the same texts, unique across groups, and never reused for others", () => {
    const shapes = openClickShapes();
    const first = shapes.referrer("a.example");
    expect(shapes.referrer("a.example")).toBe(first);
    expect(shapes.place("a.example").no).not.toBe(first.no);
    const seen = new Set<number>();
    for (let made = 0; made < 40_000; made += 1) seen.add(shapes.referrer(`${made}.example`).no);
    expect(seen.size).toBe(40_000);
    // Forgotten meanwhile, so that memory is bounded.
    const again = shapes.referrer("a.example");
    expect(seen.has(again.no)).toBe(false);
    expect(again.no).not.toBe(first.no);
  });
});

describe("the privacy page", () => {
  test("lists everything that is stored, and no address or user agent among it", () => {
    for (const { name } of storedFields) {
      expect(privacyPage()).toContain(`| \`${name}\` |`);
      expect(name).not.toMatch(/^(ip|address|user_agent|ua|referer)$/);
    }
    expect(storedFields.map(({ name }) => name)).toEqual(expect.arrayContaining([...clickTexts]));
  });
});

describe("clean text", () => {
  test("is cut between characters, never inside one", () => {
    expect(cleanText("😀".repeat(300))).toBe("😀".repeat(255));
    expect(cleanText(`x${"😀".repeat(300)}`)).toBe(`x${"😀".repeat(254)}`);
    expect(cleanText("a".repeat(255))).toBe("a".repeat(255));
    expect(cleanText("a".repeat(256))).toBe("a".repeat(255));
  });

  test("halves of characters do not meet to form one", () => {
    expect(cleanText("\ud83d\t\ude00")).toBe("");
    expect(cleanText("\ud83d\ud83d\ude00")).toBe("😀");
  });

  test("cleaning twice changes nothing", () => {
    fc.assert(fc.property(hostileText, (text) => cleanText(cleanText(text)) === cleanText(text)));
  });
});
