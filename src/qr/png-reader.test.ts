import { describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { encode } from "fast-png";
import { PNG } from "pngjs";
import { LOGO_BYTES_MAX } from "#contract/limits.ts";
import { filterRows, writePng } from "./drawing/png.ts";
import { InvalidLogo } from "./invalid-logo.ts";
import { readPicture } from "./png-reader.ts";
import { normalizeLogo } from "./render-image.ts";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** A file whose header doesn't match its content. */
const pngOf = (width: number, height: number, content: Uint8Array): Uint8Array =>
  writePng({ width, height, colours: { kind: "rgba" } }, deflateSync(content));

const solid = (width: number, height: number, rgba: readonly number[]): Buffer => {
  const png = new PNG({ width, height });
  for (let at = 0; at < png.data.length; at += 4) png.data.set(rgba, at);
  return PNG.sync.write(png);
};

/** A chunk that decoders skip if unknown, without verifying its checksum. */
function withChunk(png: Uint8Array, type: string, data: Uint8Array): Uint8Array {
  const frame = Buffer.alloc(12 + data.length);
  frame.writeUInt32BE(data.length, 0);
  frame.write(type, 4, "latin1");
  frame.set(data, 8);
  return Buffer.concat([png.subarray(0, 33), frame, png.subarray(33)]);
}

describe("a valid logo", () => {
  test("reads the same in every PNG format", () => {
    const expected = [...Array(4)].flatMap(() => [90, 90, 90, 255]);
    const forms = [
      { channels: 1, data: Uint8Array.from({ length: 4 }, () => 90) },
      { channels: 2, data: Uint8Array.from({ length: 8 }, (_, at) => (at % 2 ? 255 : 90)) },
      { channels: 3, data: Uint8Array.from({ length: 12 }, () => 90) },
      { channels: 4, data: Uint8Array.from({ length: 16 }, (_, at) => (at % 4 === 3 ? 255 : 90)) },
      { channels: 3, depth: 16 as const, data: Uint16Array.from({ length: 12 }, () => 90 << 8) },
      { channels: 1, palette: [[90, 90, 90] as [number, number, number]], data: new Uint8Array(4) },
    ];
    for (const form of forms) {
      expect([...readPicture(encode({ width: 2, height: 2, ...form })).rgba]).toEqual(expected);
    }
  });

  test("keeps nothing but its pixels", () => {
    const secret = "taken at home by Ada";
    const kept = normalizeLogo(withChunk(solid(8, 8, [1, 2, 3, 255]), "tEXt", text(`Comment\0${secret}`)));
    expect(Buffer.from(kept).toString("latin1")).not.toContain(secret);
    expect(PNG.sync.read(Buffer.from(kept)).data.subarray(0, 4)).toEqual(Buffer.of(1, 2, 3, 255));
  });

  test("is stored no larger than any code needs", () => {
    const { width, height } = PNG.sync.read(Buffer.from(normalizeLogo(solid(1024, 256, [0, 90, 0, 255]))));
    expect([width, height]).toEqual([256, 64]);
  });
});

describe("an invalid logo is rejected with a reason", () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  const good = solid(8, 8, [1, 2, 3, 255]);
  test.each([
    ["an SVG", text(svg), "the logo must be a PNG file"],
    ["a JPEG", Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), "the logo must be a PNG file"],
    ["nothing", new Uint8Array(0), "the logo must be a PNG file"],
    ["too many bytes", new Uint8Array(LOGO_BYTES_MAX + 1), "the logo is larger than 512 KiB"],
    ["too many pixels", solid(1025, 1, [0, 0, 0, 255]), "the logo is larger than 1024 × 1024 pixels"],
    ["a huge size in its header", pngOf(0xffffffff, 0xffffffff, new Uint8Array(8)), "the logo is larger than"],
    ["no size", pngOf(0, 0, new Uint8Array(8)), "the logo is damaged"],
    ["half of it", good.subarray(0, good.length / 2), "the logo is damaged"],
    ["a wrong checksum", good.with(40, (good[40] ?? 0) ^ 1), "the logo is damaged"],
    ["too few pixels", pngOf(8, 8, new Uint8Array(10)), "the logo is damaged"],
  ])("%s", (_, file, message) => {
    expect(() => readPicture(file)).toThrow(message);
    expect(() => readPicture(file)).toThrow(InvalidLogo);
  });

  test("a few bytes that decompress to very many, in the pixels or elsewhere", () => {
    const bomb = deflateSync(new Uint8Array(200 << 20), { level: 9 });
    Bun.gc(true);
    const before = process.memoryUsage.rss();
    const file = writePng({ width: 8, height: 8, colours: { kind: "rgba" } }, bomb);
    expect(file.length).toBeLessThan(LOGO_BYTES_MAX);
    expect(() => readPicture(file)).toThrow("the logo is damaged");
    expect(
      readPicture(withChunk(solid(8, 8, [1, 2, 3, 255]), "iCCP", Buffer.concat([text("x\0\0"), bomb]))).width,
    ).toBe(8);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 << 20);
  });

  test("no input makes reading fail in any other way", () => {
    const flips = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(flips, (changes) => {
        const file = Uint8Array.from(good);
        for (const [at, byte] of changes) file[at] = byte;
        try {
          readPicture(file);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidLogo);
        }
      }),
      { numRuns: 500 },
    );
  });
});

test("our PNGs are read correctly by other decoders", () => {
  const rows = Uint8Array.from({ length: 5 * 4 * 3 }, (_, at) => at);
  const image = { width: 5, height: 3, colours: { kind: "rgba" }, rows } as const;
  const png = writePng(image, deflateSync(filterRows(image)));
  expect(new Uint8Array(PNG.sync.read(Buffer.from(png)).data)).toEqual(rows);
});
