import { mixColours, type Rgb } from "#shared/colour.ts";
import { fitSize, type Picture, resizePicture } from "./picture.ts";
import type { CodePlan } from "./plan.ts";
import { isSameRow, type PngImage } from "./png.ts";
import { logoBox, SHADE_MAX, type Shades, toShades } from "./shades.ts";

/** The code in the most compact format: two colors, sixteen shades or, with a picture, full color. */
export function toPixels(plan: CodePlan): PngImage {
  const { style, logo } = plan;
  const shades = toShades(plan);
  const shape = { width: shades.side, height: shades.side };
  if (logo?.logo.kind === "picture") {
    const { start, length } = logoBox(plan, logo);
    const rows = toRgb(shades, paletteOf(plan));
    pastePicture(rows, { side: shades.side, start, length, background: plan.background }, logo.logo.picture);
    return { ...shape, colours: { kind: "rgb" }, rows };
  }
  const isFlat = style === "square" && logo === null;
  return isFlat
    ? {
        ...shape,
        colours: { kind: "palette", bits: 1, palette: [plan.background, plan.colour] },
        rows: pack(shades, 1),
      }
    : { ...shape, colours: { kind: "palette", bits: 4, palette: paletteOf(plan) }, rows: pack(shades, 4) };
}

const paletteOf = ({ colour, background }: CodePlan): readonly Rgb[] =>
  Array.from({ length: SHADE_MAX + 1 }, (_, shade) => mixColours(background, colour, shade / SHADE_MAX));

/** Packs several pixels per byte, the leftmost in the highest bits, keeping the highest bits of each shade. */
function pack({ side, data }: Shades, bits: 1 | 4): Uint8Array {
  const length = Math.ceil((side * bits) / 8);
  const rows = new Uint8Array(length * side);
  for (let y = 0; y < side; y += 1) {
    if (y > 0 && isSameRow(data, (y - 1) * side, y * side, side)) {
      rows.copyWithin(y * length, (y - 1) * length, y * length);
    } else {
      const row = data.subarray(y * side, (y + 1) * side);
      if (bits === 1) packBits(row, rows, y * length);
      else packHalves(row, rows, y * length);
    }
  }
  return rows;
}

function packBits(row: Uint8Array, rows: Uint8Array, start: number): void {
  for (let x = 0; x < row.length; x += 1) {
    const at = start + (x >> 3);
    rows[at] = (rows[at] ?? 0) | (((row[x] ?? 0) >> 3) << (7 - (x & 7)));
  }
}

function packHalves(row: Uint8Array, rows: Uint8Array, start: number): void {
  for (let x = 0, at = start; x < row.length; x += 2, at += 1) rows[at] = ((row[x] ?? 0) << 4) | (row[x + 1] ?? 0);
}

function toRgb({ data }: Shades, palette: readonly Rgb[]): Uint8Array {
  const flat = Uint8Array.from(palette.flat());
  const rows = new Uint8Array(data.length * 3);
  for (let at = 0; at < data.length; at += 1) {
    const from = (data[at] ?? 0) * 3;
    rows[at * 3] = flat[from] ?? 0;
    rows[at * 3 + 1] = flat[from + 1] ?? 0;
    rows[at * 3 + 2] = flat[from + 2] ?? 0;
  }
  return rows;
}

interface Box {
  /** Pixels per image row. */
  readonly side: number;
  readonly start: number;
  readonly length: number;
  readonly background: Rgb;
}

function pastePicture(rows: Uint8Array, { side, start, length, background }: Box, picture: Picture): void {
  const { width, height } = fitSize(picture, length);
  const { rgba } = resizePicture(picture, width, height);
  const left = start + Math.floor((length - width) / 2);
  const top = start + Math.floor((length - height) / 2);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 4;
      const to = ((top + y) * side + left + x) * 3;
      const share = (rgba[from + 3] ?? 0) / 255;
      for (let part = 0; part < 3; part += 1) {
        const under = background[part] ?? 0;
        rows[to + part] = Math.round(under + ((rgba[from + part] ?? 0) - under) * share);
      }
    }
  }
}
