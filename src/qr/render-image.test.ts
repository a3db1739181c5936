import { expect, test } from "bun:test";
import { join } from "node:path";
import { QrQuery } from "#contract/qr.ts";
import { RENDERING_VERSION } from "./drawing/rendering-version.ts";
import { renderImage } from "./render-image.ts";

const draw = (query: object): Uint8Array => {
  const drawn = renderImage({ text: "https://s.example/spring-sale", query: QrQuery.parse(query), accountLogo: null });
  if ("problem" in drawn) throw new Error(drawn.problem.kind);
  return drawn.bytes;
};

test("an image has exactly the requested size, in the most compact format", () => {
  for (const [query, bits, colourType] of [
    [{ size: 300 }, 1, 3],
    [{ size: 300, style: "dots" }, 4, 3],
    [{ size: 300, logo: "star" }, 4, 3],
  ] as const) {
    const png = new DataView(draw(query).buffer);
    expect([png.getUint32(16), png.getUint32(20), png.getUint8(24), png.getUint8(25)]).toEqual([
      300,
      300,
      bits,
      colourType,
    ]);
  }
  expect(draw({}).length).toBeLessThan(1500);
});

test("the same request always produces the same bytes, unless the rendering version changes", () => {
  const looks = (["square", "rounded", "dots"] as const).map((style) => ({ style, logo: "heart", format: "svg" }));
  const hash = new Bun.CryptoHasher("sha256");
  for (const look of looks) hash.update(draw(look));
  expect([RENDERING_VERSION, hash.digest("hex")]).toEqual([
    2,
    "1143f7f45f818a451ad067d4e43df2f2d3a36ae2ffa54820a6abceaf59d7bf0a",
  ]);
});

test("styles that would be blobs at a few pixels are rendered square", () => {
  expect(draw({ size: 100, style: "dots" })).toEqual(draw({ size: 100 }));
  expect(draw({ size: 100, style: "rounded", format: "svg" })).toEqual(draw({ size: 100, format: "svg" }));
  expect(draw({ size: 200, style: "dots" })).not.toEqual(draw({ size: 200 }));
});

test("a URL too long for a logo is rejected, and one that fits is not", () => {
  const order = (slug: string) => ({
    text: `https://s.example/${slug}`,
    query: QrQuery.parse({ logo: "star" }),
    accountLogo: null,
  });
  expect(renderImage(order("a".repeat(80)))).toHaveProperty("bytes");
  expect(renderImage(order("a".repeat(120)))).toEqual({ problem: { kind: "no_room_for_logo" } });
});

test("rendering works in a browser too", async () => {
  const { success, outputs } = await Bun.build({
    entrypoints: [
      join(import.meta.dir, "drawing", "svg.ts"),
      join(import.meta.dir, "drawing", "pixels.ts"),
      join(import.meta.dir, "drawing", "png.ts"),
      join(import.meta.dir, "drawing", "plan.ts"),
    ],
    target: "browser",
  });
  expect(success).toBe(true);
  for (const output of outputs) expect(await output.text()).not.toMatch(/\bBun\b|\bprocess\.|\bBuffer\b|node:/);
});
