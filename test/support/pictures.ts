import { PNG } from "pngjs";

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

export function solidPng(width: number, height: number, colour: Colour): Buffer {
  const png = new PNG({ width, height });
  for (let at = 0; at < png.data.length; at += 4) png.data.set(colour, at);
  return PNG.sync.write(png);
}

/** The colour at the center of an image. */
export function middleOf(png: Uint8Array): number[] {
  const { data, width, height } = PNG.sync.read(Buffer.from(png));
  const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4;
  return [...data.subarray(at, at + 3)];
}
