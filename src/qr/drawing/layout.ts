/** The position of the modules in a square image: whole pixels each, the rest is margin. */
export interface Layout {
  /** Width and height of the image in pixels. */
  readonly size: number;
  /** Width and height of a module in pixels. */
  readonly scale: number;
  /** Pixels left of and above the first module. */
  readonly offset: number;
}

export interface Frame {
  readonly size: number;
  /** The minimum quiet zone, in modules. */
  readonly margin: number;
}

/**
 * The smallest image that fits the code with its margin. Decoders that sample every other line (zbar) only read one-pixel
 * modules that start at an odd pixel, so an even margin needs one more pixel.
 */
export const smallestSize = (modules: number, margin: number): number => modules + 2 * margin + ((margin + 1) % 2);

/** `null` if the image is too small. */
export function layOut(modules: number, { size, margin }: Frame): Layout | null {
  if (size < smallestSize(modules, margin)) return null;
  const widest = Math.floor(size / (modules + 2 * margin));
  for (let scale = widest; scale > 0; scale -= 1) {
    const least = margin * scale;
    const most = size - modules * scale - least;
    const middle = Math.floor((size - modules * scale) / 2);
    const offset = [middle, middle - 1, middle + 1].find(
      (place) => place >= least && place <= most && !isAwkward(scale, place),
    );
    if (offset !== undefined) return { size, scale, offset };
  }
  return null;
}

/**
 * ZXing-based decoders compute thresholds per 8 × 8 pixel block, and lose dots if the blocks align with the modules. For
 * those that sample every other line, see above.
 */
const isAwkward = (scale: number, offset: number): boolean =>
  (scale === 8 && offset % 8 === 0) || (scale === 1 && offset % 2 === 0);
