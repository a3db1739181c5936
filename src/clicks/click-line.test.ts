import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Click, clickColumns } from "./click-columns.ts";
import { cleanText, clickLine, parseClickLine, TEXT_CHARACTERS_MAX } from "./click-line.ts";

const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 600 }),
  fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 600 }),
  fc.string({ unit: fc.constantFrom("\t", "\n", "\r", "\0", "\x01", "\x7f", "\x85", "\u2028", " ", "a", "\ud83d") }),
  fc.string({ unit: fc.constantFrom("😀", "é", "x"), minLength: 200, maxLength: 600 }),
);

const click = fc.record(
  Object.fromEntries(
    clickColumns.map(({ name, sqlType }) => {
      if (sqlType === "VARCHAR") return [name, hostileText];
      return [name, sqlType === "BOOLEAN" ? fc.boolean() : fc.maxSafeNat()];
    }),
  ),
) as unknown as fc.Arbitrary<Click>;

describe("a click line", () => {
  test("has the nineteen fields in their agreed order", () => {
    expect(clickColumns.map(({ name }) => name).join(" ")).toBe(
      "at_ms account_no link_no bot visitor country region city referrer language device browser os source " +
        "utm_source utm_medium utm_campaign utm_term utm_content",
    );
  });

  test("is one line of nineteen clean fields whatever the click holds, and survives UTF-8", () => {
    fc.assert(
      fc.property(click, (hostile) => {
        const line = clickLine(hostile);
        const fields = line.slice(0, -1).split("\t");
        expect(fields).toHaveLength(19);
        expect(line.indexOf("\n")).toBe(line.length - 1);
        expect(line.slice(0, -1).replaceAll("\t", "")).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u);
        expect(fields.every((field) => Array.from(field).length <= TEXT_CHARACTERS_MAX)).toBe(true);
        expect(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(line))).toBe(line);
        expect(clickLine(parseClickLine(line))).toBe(line);
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
    };
    expect(parseClickLine(clickLine(clean))).toEqual(clean);
  });

  test("a line with too few or too many fields, or without its end, is refused", () => {
    const line = clickLine(fc.sample(click, 1)[0] as Click);
    expect(() => parseClickLine(line.slice(0, -1))).toThrow("not a click");
    expect(() => parseClickLine(`x\t${line}`)).toThrow("20 fields");
    expect(() => parseClickLine("\n")).toThrow("1 fields");
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
