/** Where the modules lie in a square image: whole pixels each, the rest is margin. */
export interface Layout {
  /** Pixels of each side of the image. */
  readonly size: number;
  /** Pixels of each side of a module. */
  readonly scale: number;
  /** Pixels left of and above the first module. */
  readonly offset: number;
}

export interface Frame {
  readonly size: number;
  /** The least quiet zone, in modules. */
  readonly margin: number;
}

/**
 * The smallest image that holds the code with its margin. Modules of one pixel are read by decoders that sample every
 * other line (zbar) only from an odd pixel on, so an even margin needs one pixel more.
 */
export const smallestSize = (modules: number, margin: number): number => modules + 2 * margin + ((margin + 1) % 2);

/** `null` when the image is too small. */
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
 * Decoders after ZXing set their thresholds by squares of 8 by 8 pixels: where these coincide with the modules, dots
 * are lost. For those that sample every other line, see above.
 */
const isAwkward = (scale: number, offset: number): boolean =>
  (scale === 8 && offset % 8 === 0) || (scale === 1 && offset % 2 === 0);
