import { isDark, type Matrix, type Pattern, withoutPatterns } from "#shared/qr-matrix.ts";
import { coverPath } from "./icon-coverage.ts";
import { ICON_SIZE, icons } from "./icons.ts";
import {
  DOT_RADIUS,
  distanceTo,
  findSolidPatterns,
  patternShapes,
  type RoundedSquare,
  type RoundStyle,
} from "./module-shapes.ts";
import type { CodePlan, PlacedLogo } from "./plan.ts";

/** Sixteen shades from background to foreground: half a byte each, and smooth enough for any edge. */
export const SHADE_MAX = 15;

/** A square of shades, one byte each, row by row. */
export interface Shades {
  readonly side: number;
  readonly data: Uint8Array;
}

/** The code as shades between its two colors; a picture in the center is left to the caller. */
export function toShades(plan: CodePlan): Shades {
  const { layout, style, logo } = plan;
  const shades: Shades = { side: layout.size, data: new Uint8Array(layout.size * layout.size) };
  if (style === "square") drawSquares(shades, plan);
  else drawRound(shades, plan, style);
  if (logo?.logo.kind === "icon") {
    const { start, length } = logoBox(plan, logo);
    const icon = coverPath(icons[logo.logo.name], ICON_SIZE, length);
    paste(shades, { side: length, data: Uint8Array.from(icon, shadeOf) }, start, start);
  }
  return shades;
}

/** The position of a logo's box, in whole pixels. */
export const logoBox = ({ layout: { scale, offset } }: CodePlan, { start, length }: PlacedLogo) => ({
  start: offset + Math.round(start * scale),
  length: Math.round(length * scale),
});

function drawSquares({ side, data }: Shades, { matrix, layout: { scale, offset } }: CodePlan): void {
  for (let y = 0; y < matrix.size; y += 1) {
    const row = (offset + y * scale) * side;
    for (let x = 0; x < matrix.size; x += 1) {
      if (!isDark(matrix, x, y)) continue;
      const start = row + offset + x * scale;
      data.fill(SHADE_MAX, start, start + scale);
    }
    for (let line = 1; line < scale; line += 1) data.copyWithin(row + line * side, row, row + side);
  }
}

function drawRound(shades: Shades, { matrix, layout: { scale, offset } }: CodePlan, style: RoundStyle): void {
  const patterns = findSolidPatterns(matrix, style);
  const modules = withoutPatterns(matrix, patterns);
  const tiles = new Map<number, Shades | null>();
  for (let y = 0; y < matrix.size; y += 1) {
    for (let x = 0; x < matrix.size; x += 1) {
      const kind = kindOf(modules, x, y, style);
      let tile = tiles.get(kind);
      if (tile === undefined) {
        tile = kind === 0 ? null : drawTile(scale, kind, style);
        tiles.set(kind, tile);
      }
      if (tile) paste(shades, tile, offset + x * scale, offset + y * scale);
    }
  }
  const [eye, alignment] = [drawPattern(7, scale), drawPattern(5, scale)];
  for (const { x, y, span } of patterns) {
    paste(shades, span === 7 ? eye : alignment, offset + x * scale, offset + y * scale);
  }
}

const DARK = 16;

/**
 * Which corners of a module are round: cut off in a dark one, filled in a light one between dark ones. Bit 0 of a
 * corner's number means right, bit 1 means bottom.
 */
function kindOf(matrix: Matrix, x: number, y: number, style: RoundStyle): number {
  const dark = isDark(matrix, x, y);
  if (style === "dots") return dark ? DARK : 0;
  let kind = dark ? DARK : 0;
  for (let bit = 0; bit < 4; bit += 1) {
    const [dx, dy] = [bit & 1 ? 1 : -1, bit & 2 ? 1 : -1];
    const beside = Number(isDark(matrix, x + dx, y)) + Number(isDark(matrix, x, y + dy));
    const isRound = dark ? beside === 0 : beside === 2 && isDark(matrix, x + dx, y + dy);
    if (isRound) kind |= 1 << bit;
  }
  return kind;
}

function drawTile(side: number, kind: number, style: RoundStyle): Shades {
  const dark = (kind & DARK) !== 0;
  const radius = (style === "dots" ? DOT_RADIUS : 0.5) * side;
  return drawShades(side, (x, y) => {
    const [dx, dy] = [x - side / 2, y - side / 2];
    const corner = (dx > 0 ? 1 : 0) + (dy > 0 ? 2 : 0);
    const isRound = style === "dots" || (kind & (1 << corner)) !== 0;
    const inside = radius - Math.sqrt(dx * dx + dy * dy) + 0.5;
    if (!isRound) return dark ? 1 : 0;
    return dark ? inside : 1 - inside;
  });
}

function drawPattern(span: Pattern["span"], scale: number): Shades {
  const { ring, hole, dot } = patternShapes(span);
  const coverageOf = (shape: RoundedSquare, x: number, y: number): number =>
    0.5 - scale * distanceTo(shape, x / scale, y / scale);
  return drawShades(span * scale, (x, y) =>
    Math.max(Math.min(coverageOf(ring, x, y), 1 - coverageOf(hole, x, y)), coverageOf(dot, x, y)),
  );
}

/** Samples the coverage at the center of each pixel, clamped to 0…1. */
function drawShades(side: number, coverageAt: (x: number, y: number) => number): Shades {
  const data = new Uint8Array(side * side);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) data[y * side + x] = shadeOf(coverageAt(x + 0.5, y + 0.5));
  }
  return { side, data };
}

const shadeOf = (coverage: number): number => Math.round(Math.min(1, Math.max(0, coverage)) * SHADE_MAX);

function paste(target: Shades, { side, data }: Shades, x: number, y: number): void {
  for (let line = 0, from = 0; line < side; line += 1) {
    let to = (y + line) * target.side + x;
    // Tiles are a few pixels wide: copying them in a loop is faster than through views.
    for (const end = from + side; from < end; from += 1, to += 1) target.data[to] = data[from] ?? 0;
  }
}
