import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PNG } from "pngjs";
import { builtInLogos, QrQuery } from "#contract/qr.ts";
import { type ImageRequest, normalizeLogo, renderImage } from "#qr/render-image.ts";
import { contrastOf, parseColour } from "#shared/colour.ts";
import {
  findXmlProblems,
  pixelsOf,
  readWithJsQr,
  readWithZbar,
  renderSvg,
  stretchContrast,
} from "#test/support/qr-decoders.ts";

/** Decoders take most of the time, on large images, so a slow machine tries fewer codes. */
const TIME_LIMIT_MS = 25_000;
/** Fixed, since a decoder that misses one code in thousands must not fail a release. */
const SEED = 20261115;
/** Set to try that many codes of each format, from `SEED` or a new seed each time. */
const RUNS = Number(process.env.RUNS ?? 0);
const RUN_MS_MAX = 10_000;
const TIMEOUT_MS = RUNS > 0 ? RUNS * RUN_MS_MAX : 120_000;

const extentOf = (numRuns: number): fc.Parameters<[ImageRequest]> =>
  RUNS > 0
    ? { numRuns: RUNS, seed: Number(process.env.SEED ?? Date.now() % 2 ** 31), endOnFailure: true }
    : { numRuns, seed: SEED, interruptAfterTimeLimit: TIME_LIMIT_MS };
/** Above it, every decoder reads the image unchanged. */
const EASY_CONTRAST = 4.5;

const logos = [disc([200, 30, 90]), disc([0, 0, 0]), disc([255, 255, 255])].map(normalizeLogo);

/** A round picture on a transparent background, as a company logo might be. */
function disc([red, green, blue]: readonly [number, number, number]): Buffer {
  const side = 90;
  const png = new PNG({ width: side, height: side });
  for (let pixel = 0; pixel < side * side; pixel += 1) {
    const inside = Math.hypot((pixel % side) - side / 2, Math.floor(pixel / side) - side / 2) < side / 2;
    png.data.set([red, green, blue, inside ? 255 : 0], pixel * 4);
  }
  return PNG.sync.write(png);
}

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => value.toString(16).padStart(6, "0"));
const contrastBetween = (color: string, background: string): number =>
  contrastOf(parseColour(color), parseColour(background));
const colours = fc.oneof(
  fc.constant(["000000", "ffffff"] as const),
  fc.tuple(hex, hex).filter(([color, background]) => contrastBetween(color, background) >= 3),
);
const text = fc
  .tuple(
    fc.constantFrom("http://localhost:8080/", "https://s.example/", "https://links.company.example/"),
    fc.stringMatching(/^[a-z0-9](?:[a-z0-9_-]{0,40}[a-z0-9])?$/),
    fc.constantFrom("", "?qr=1"),
  )
  .map((parts) => parts.join(""));
const size = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 64, max: 200 }) },
  { weight: 4, arbitrary: fc.integer({ min: 200, max: 700 }) },
  { weight: 1, arbitrary: fc.integer({ min: 700, max: 2048 }) },
);

const orders = (format: "png" | "svg"): fc.Arbitrary<ImageRequest> =>
  fc
    .record({
      text,
      colours,
      logo: fc.constantFrom("none", "none", "account", ...builtInLogos),
      accountLogo: fc.constantFrom(...logos),
      size,
      margin: fc.integer({ min: 0, max: 16 }),
      ecc: fc.constantFrom("L", "M", "Q", "H", undefined),
      style: fc.constantFrom("square", "rounded", "dots"),
    })
    .map(({ text, colours: [color, background], logo, accountLogo, ...rest }) => ({
      text,
      query: QrQuery.parse({ format, color, background, logo, ...rest }),
      accountLogo: logo === "account" ? accountLogo : null,
    }));

/** Draws the image, and if that isn't possible, the closest one that the problem allows. */
function draw(order: ImageRequest): Uint8Array {
  const drawn = renderImage(order);
  if ("bytes" in drawn) return drawn.bytes;
  const { ecc, ...query } = order.query;
  if (drawn.problem.kind === "no_room_for_logo") {
    // Only the requested level can leave no room: without one, all of these addresses get their logo.
    expect(ecc).toBeDefined();
    return draw({ ...order, query });
  }
  expect(query.size).toBeLessThan(drawn.problem.sizeMin);
  return draw({ ...order, query: { ...order.query, size: drawn.problem.sizeMin } });
}

async function expectToRead(png: Uint8Array, { text, query }: ImageRequest): Promise<void> {
  const pixels = pixelsOf(png);
  const { width, height } = pixels;
  expect(width).toBeGreaterThanOrEqual(query.size);
  expect(height).toBe(width);
  const [colour, background] = [parseColour(query.color), parseColour(query.background)];
  const isEasy = contrastOf(colour, background) >= EASY_CONTRAST;
  expect(await readWithZbar(png)).toBe(text);
  expect(readWithJsQr(isEasy ? pixels : stretchContrast(pixels, colour, background))).toBe(text);
}

describe("two independent decoders read exactly the address, whatever the style", () => {
  test(
    "as PNG",
    async () => {
      await fc.assert(
        fc.asyncProperty(orders("png"), async (order) => expectToRead(draw(order), order)),
        extentOf(120),
      );
    },
    TIMEOUT_MS,
  );

  test(
    "as SVG, which is well-formed, drawn by an independent program",
    async () => {
      await fc.assert(
        fc.asyncProperty(orders("svg"), async (order) => {
          const svg = draw(order);
          expect(await findXmlProblems(svg)).toBe("");
          await expectToRead(await renderSvg(svg), order);
        }),
        extentOf(60),
      );
    },
    TIMEOUT_MS,
  );
});

/** Found by trying more codes: with rounder eyes and smaller dots, decoders failed on these. */
const once = [
  { text: "https://s.example/5", size: 488, margin: 7, ecc: "Q", style: "dots", logo: "star" },
  { text: "https://s.example/m?qr=1", size: 196, margin: 7, ecc: "L", style: "dots" },
  { text: "https://links.company.example/r?qr=1", size: 476, margin: 11, style: "dots", logo: "play" },
  { text: "http://localhost:8080/7_b-_---b?qr=1", size: 388, margin: 3, style: "dots", logo: "heart" },
  { text: "http://localhost:8080/3-u", size: 516, margin: 8, style: "dots", logo: "play" },
  {
    text: "http://localhost:8080/a?qr=1",
    size: 465,
    margin: 6,
    ecc: "L",
    style: "dots",
    color: "491d26",
    background: "0f7bef",
  },
] as const;

test.each(once)("$text in $style at $size pixels, which once failed, is read", async ({ text, ...look }) => {
  const order = (format: "png" | "svg") => ({ text, query: QrQuery.parse({ format, ...look }), accountLogo: null });
  await expectToRead(draw(order("png")), order("png"));
  await expectToRead(await renderSvg(draw(order("svg"))), order("svg"));
});
