import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { iconTypeOf } from "./icon-type.ts";

const u32 = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const u16 = (value: number): number[] => [value >>> 8, value & 255];
const le16 = (value: number): number[] => u16(value).toReversed();
const le32 = (value: number): number[] => u32(value).toReversed();
const text = (ascii: string): number[] => [...Buffer.from(ascii, "latin1")];

const png = (width: number, height = width): number[] => [
  ...text("\x89PNG\r\n\x1a\n"),
  ...u32(13),
  ...text("IHDR"),
  ...u32(width),
  ...u32(height),
];
const gifFrame = (left: number, top: number, width: number, height: number): number[] => [
  ...[0x21, 0xf9, 4, 0, 0, 0, 0, 0],
  // Two colors of its own, and two parts of codes.
  ...[0x2c, ...[left, top, width, height].flatMap(le16), 0x80, ...Array<number>(6).fill(0x2c)],
  ...[2, 1, 0x21, 2, 0x2c, 0x2c, 0],
];
const gif = (side: number, frames = gifFrame(0, 0, 1, 1)): number[] => [
  ...[...text("GIF89a"), ...le16(side), ...le16(1), 0x80, 0, 0, ...Array<number>(6).fill(0x21)],
  ...[...frames, 0x3b],
];
const jpeg = (side: number): number[] => [
  ...[0xff, 0xd8, 0xff, 0xe0, ...u16(4), 1, 2],
  ...[0xff, 0xc4, ...u16(5), 1, 2, 3],
  ...[0xff, 0xc2, ...u16(11), 8, ...u16(1), ...u16(side), 3, 0, 0],
];
const riff = (format: string, rest: number[]): number[] => [
  ...text("RIFF"),
  ...[0, 0, 0, 0],
  ...text(`WEBP${format}`),
  ...[0, 0, 0, 0],
  ...rest,
];
const webp = {
  lossy: (side: number) => riff("VP8 ", [0, 0, 0, 0x9d, 1, 0x2a, ...le16(side), ...le16(1)]),
  lossless: (side: number) => riff("VP8L", [0x2f, ...le32(((side - 1) << 14) | 3)]),
  extended: (side: number) => riff("VP8X", [0, 0, 0, 0, ...le32(side - 1).slice(0, 3), 0, 0, 0]),
};
const bitmap = (side: number): number[] => [...le32(40), ...le32(side), ...le32(2 * side)];
const ico = (...images: readonly number[][]): number[] => {
  let offset = 6 + 16 * images.length;
  const table = images.flatMap((image) => {
    const entry = [16, 16, 0, 0, 1, 0, 32, 0, ...le32(image.length), ...le32(offset)];
    offset += image.length;
    return entry;
  });
  return [0, 0, 1, 0, ...le16(images.length), ...table, ...images.flat()];
};

const typeOf = (bytes: readonly number[]): string | null => iconTypeOf(Uint8Array.from(bytes));

describe("an image", () => {
  test.each([
    ["image/png", png],
    ["image/gif", gif],
    ["image/gif", (side: number) => gif(16, [...gifFrame(0, 0, 16, 1), ...gifFrame(0, 0, 1, side)])],
    ["image/gif", (side: number) => gif(16, gifFrame(side - 1, 0, 1, 1))],
    ["image/jpeg", jpeg],
    ["image/webp", webp.lossy],
    ["image/webp", webp.lossless],
    ["image/webp", webp.extended],
    ["image/x-icon", (side: number) => ico(bitmap(16), bitmap(side))],
    ["image/x-icon", (side: number) => ico(png(side), bitmap(16))],
    ["image/x-icon", (side: number) => ico(bitmap(16), [...le32(40), ...le32(16), ...le32(-2 * side)])],
    ["image/x-icon", (side: number) => ico(bitmap(16), [...le32(40), ...le32(-side), ...le32(32)])],
  ])("is %s by its bytes, unless it is large", (type, build) => {
    expect(typeOf(build(32))).toBe(type);
    expect(typeOf(build(1024))).toBe(type);
    expect(typeOf(build(1025))).toBeNull();
    expect(typeOf(build(16_000))).toBeNull();
  });

  test("that is cut off is judged by what is there, if its kind is shown so", () => {
    expect(typeOf(gif(32).slice(0, -9))).toBe("image/gif");
    expect(typeOf(gif(32, []).slice(0, -1))).toBe("image/gif");
    expect(typeOf(gif(32).slice(0, 10))).toBeNull();
  });

  test("is large if one side is", () => expect(typeOf(png(1, 60_000))).toBeNull());

  test.each([
    ["a drawing", text("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")],
    ["a page", text("<!doctype html><script>alert(1)</script>")],
    ["a bitmap of its own", text("BM")],
    ["an icon without images", ico()],
    ["a cursor", [0, 0, 2, 0, 1, 0]],
    ["nothing", []],
    ["a PNG that is cut off", png(32).slice(0, 20)],
    ["an icon whose image is elsewhere", ico(bitmap(16)).slice(0, 22)],
    ["a size of nothing", png(0)],
  ])("isn't one: %s", (_, bytes) => expect(typeOf(bytes)).toBeNull());

  test("of any bytes is judged without failing", () => {
    const starts = [png(1), gif(1), jpeg(1), webp.lossy(1), webp.lossless(1), ico(bitmap(1))];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.nat(40), fc.uint8Array({ maxLength: 80 }), (start, kept, rest) => {
        typeOf([...start.slice(0, kept), ...rest]);
      }),
    );
  });
});
