import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import jsQR from "jsqr";
import { PNG } from "pngjs";
import type { Rgb } from "#shared/colour.ts";

/** What zbar reads in a PNG: the text of each code that it finds. */
export async function readWithZbar(png: Uint8Array): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "kurz-qr-"));
  try {
    const file = join(directory, "code.png");
    await Bun.write(file, png);
    return (await pipe(["zbarimg", "--raw", "--quiet", file])).toString().trimEnd();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The pixels of an image, four bytes each. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export const pixelsOf = (png: Uint8Array): Pixels => PNG.sync.read(Buffer.from(png));

/** What jsQR reads in an image. */
export const readWithJsQr = ({ data, width, height }: Pixels): string | null =>
  jsQR(new Uint8ClampedArray(data), width, height)?.data ?? null;

/** The SVG as librsvg draws it, as a PNG. */
export const renderSvg = (svg: Uint8Array): Promise<Buffer> => pipe(["rsvg-convert"], svg);

/** What libxml2 finds wrong with an XML document. */
export async function findXmlProblems(xml: Uint8Array): Promise<string> {
  const child = Bun.spawn(["xmllint", "--noout", "-"], { stdin: xml, stdout: "ignore", stderr: "pipe" });
  const [problems, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  return exitCode === 0 ? problems : `${problems} (${exitCode})`;
}

/**
 * The same picture in greys, with the code's colour turned black and its background white, as a camera's exposure does.
 * Decoders based on ZXing, such as jsQR, treat a large even area as light unless it is less than half as bright as the
 * rest. A logo darker than the code stays black.
 */
export function stretchContrast({ data, ...image }: Pixels, colour: Rgb, background: Rgb): Pixels {
  const stretched = Uint8Array.from(data);
  const [darkest, lightest] = [greyOf(...colour), greyOf(...background)];
  for (let at = 0; at < data.length; at += 4) {
    const grey = greyOf(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
    const share = (grey - darkest) / (lightest - darkest);
    stretched.fill(Math.round(Math.min(1, Math.max(0, share)) * 255), at, at + 3);
  }
  return { ...image, data: stretched };
}

const greyOf = (red: number, green: number, blue: number): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

async function pipe(command: readonly string[], input?: Uint8Array): Promise<Buffer> {
  const child = Bun.spawn([...command], { stdin: input ?? "ignore", stdout: "pipe", stderr: "ignore" });
  return Buffer.from(await child.stdout.bytes());
}
