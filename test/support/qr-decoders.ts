import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import jsQR from "jsqr";
import { PNG } from "pngjs";
import type { Rgb } from "#qr/drawing/colour.ts";

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

/** What jsQR reads in a PNG. */
export function readWithJsQr(png: Uint8Array): string | null {
  const { data, width, height } = PNG.sync.read(Buffer.from(png));
  return jsQR(new Uint8ClampedArray(data), width, height)?.data ?? null;
}

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
export function stretchContrast(png: Uint8Array, colour: Rgb, background: Rgb): Buffer {
  const image = PNG.sync.read(Buffer.from(png));
  const [darkest, lightest] = [greyOf(colour), greyOf(background)];
  for (let at = 0; at < image.data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = image.data.subarray(at, at + 3);
    const share = (greyOf([red, green, blue]) - darkest) / (lightest - darkest);
    image.data.fill(Math.round(Math.min(1, Math.max(0, share)) * 255), at, at + 3);
  }
  return PNG.sync.write(image);
}

const greyOf = ([red, green, blue]: Rgb): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

async function pipe(command: readonly string[], input?: Uint8Array): Promise<Buffer> {
  const child = Bun.spawn([...command], { stdin: input ?? "ignore", stdout: "pipe", stderr: "ignore" });
  return Buffer.from(await child.stdout.bytes());
}
