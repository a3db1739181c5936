import type { Rgb } from "#shared/colour.ts";

/** Rows of pixels as packed in PNG (ISO/IEC 15948), without filter bytes. */
export interface PngImage {
  readonly width: number;
  readonly height: number;
  readonly colours:
    | { readonly kind: "palette"; readonly bits: 1 | 4; readonly palette: readonly Rgb[] }
    | { readonly kind: "rgb" | "rgba" };
  readonly rows: Uint8Array;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const COLOUR_TYPES = { rgb: 2, palette: 3, rgba: 6 } as const;

/** Writes the file around the compressed pixels. */
export function writePng(
  { width, height, colours }: Omit<PngImage, "rows">,
  compressed: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const bits = colours.kind === "palette" ? colours.bits : 8;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([bits, COLOUR_TYPES[colours.kind]], 8);
  return join([
    Uint8Array.from(SIGNATURE),
    chunk("IHDR", header),
    ...(colours.kind === "palette" ? [chunk("PLTE", Uint8Array.from(colours.palette.flat()))] : []),
    chunk("IDAT", compressed),
    chunk("IEND", new Uint8Array(0)),
  ]);
}

const FILTER_NONE = 0;
const FILTER_UP = 2;

/** The data to compress. A row that equals the one above becomes zeros, as most rows of a code do. */
export function filterRows({ height, rows }: Pick<PngImage, "height" | "rows">): Uint8Array {
  const length = rows.length / height;
  const filtered = new Uint8Array(rows.length + height);
  for (let y = 0; y < height; y += 1) {
    const isRepeated = y > 0 && isSameRow(rows, (y - 1) * length, y * length, length);
    filtered[y * (length + 1)] = isRepeated ? FILTER_UP : FILTER_NONE;
    if (!isRepeated) filtered.set(rows.subarray(y * length, (y + 1) * length), y * (length + 1) + 1);
  }
  return filtered;
}

export function isSameRow(rows: Uint8Array, first: number, second: number, length: number): boolean {
  for (let at = 0; at < length; at += 1) if (rows[first + at] !== rows[second + at]) return false;
  return true;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let at = 0; at < 4; at += 1) bytes[4 + at] = type.charCodeAt(at);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
