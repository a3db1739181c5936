/** Pixels row by row, four bytes each: red, green, blue, opacity. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** The largest size with the picture's proportions that fits in a square. */
export function fitSize({ width, height }: Picture, side: number): { readonly width: number; readonly height: number } {
  const factor = side / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

/** Scales with a triangle filter, which averages when it shrinks and interpolates when it enlarges. */
export function resizePicture({ rgba, ...from }: Picture, width: number, height: number): Picture {
  // Transparent pixels have a color too, which must not bleed into their neighbors.
  const weighted = new Float32Array(rgba.length);
  for (let at = 0; at < rgba.length; at += 1) {
    const share = at % 4 === 3 ? 1 : (rgba[at | 3] ?? 0) / 255;
    weighted[at] = (rgba[at] ?? 0) * share;
  }
  const turned = resizeRows(weighted, from.width, width);
  const resized = resizeRows(turned, from.height, height);
  const result = new Uint8Array(resized.length);
  for (let at = 0; at < resized.length; at += 1) {
    const opacity = resized[at | 3] ?? 0;
    const share = at % 4 === 3 || opacity === 0 ? 1 : opacity / 255;
    result[at] = Math.min(255, Math.round((resized[at] ?? 0) / share));
  }
  return { width, height, rgba: result };
}

/** Scales rows from `from` to `to` pixels and transposes; applied twice, it scales both axes. */
function resizeRows(source: Float32Array, from: number, to: number): Float32Array {
  const rows = source.length / (from * 4);
  const result = new Float32Array(rows * to * 4);
  for (let target = 0; target < to; target += 1) {
    const { first, weights } = weightsOf(target, from, to);
    for (let row = 0; row < rows; row += 1) {
      const goal = (target * rows + row) * 4;
      for (let index = 0, at = (row * from + first) * 4; index < weights.length; index += 1) {
        const weight = weights[index] ?? 0;
        for (let channel = 0; channel < 4; channel += 1, at += 1) {
          result[goal + channel] = (result[goal + channel] ?? 0) + (source[at] ?? 0) * weight;
        }
      }
    }
  }
  return result;
}

/** The source pixels, starting at `first`, that make up one target pixel; their weights add up to 1. */
function weightsOf(target: number, from: number, to: number): { readonly first: number; readonly weights: number[] } {
  const ratio = from / to;
  const reach = Math.max(1, ratio);
  const centre = (target + 0.5) * ratio - 0.5;
  const first = Math.max(0, Math.ceil(centre - reach));
  const last = Math.min(from - 1, Math.floor(centre + reach));
  const raw = Array.from({ length: last - first + 1 }, (_, index) => 1 - Math.abs(first + index - centre) / reach);
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  return { first, weights: raw.map((weight) => weight / total) };
}
