import type { IconType } from "#contract/console/pages.ts";

// A small file can unpack to gigabytes in every browser that shows it.
const SIDE_MAX = 1024;
const ICO_IMAGES_MAX = 32;
const GIF_EXTENSION = 0x21;
const GIF_IMAGE = 0x2c;

interface Kind {
  readonly type: IconType;
  readonly isMine: (bytes: Buffer) => boolean;
  readonly sideOf: (bytes: Buffer) => number;
}

const PNG = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

const startsWith = (bytes: Buffer, start: Buffer | string, at = 0): boolean =>
  bytes.subarray(at, at + start.length).equals(Buffer.from(start as string));

const kinds: readonly Kind[] = [
  { type: "image/png", isMine: (bytes) => startsWith(bytes, PNG), sideOf: pngSide },
  {
    type: "image/gif",
    isMine: (bytes) => startsWith(bytes, "GIF87a") || startsWith(bytes, "GIF89a"),
    sideOf: gifSide,
  },
  { type: "image/jpeg", isMine: (bytes) => startsWith(bytes, Buffer.of(0xff, 0xd8, 0xff)), sideOf: jpegSide },
  {
    type: "image/webp",
    isMine: (bytes) => startsWith(bytes, "RIFF") && startsWith(bytes, "WEBP", 8),
    sideOf: webpSide,
  },
  { type: "image/x-icon", isMine: (bytes) => startsWith(bytes, Buffer.of(0, 0, 1, 0)), sideOf: icoSide },
];

/** By its bytes, whatever its server says; `null` if it is none, broken or large. */
export function iconTypeOf(content: Uint8Array): IconType | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const kind = kinds.find(({ isMine }) => isMine(bytes));
  if (!kind) return null;
  try {
    const side = kind.sideOf(bytes);
    return side > 0 && side <= SIDE_MAX ? kind.type : null;
  } catch (error) {
    // It ends too early.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function pngSide(bytes: Buffer): number {
  return Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

/** In the first start of a frame; the segments before it are skipped. */
function jpegSide(bytes: Buffer): number {
  for (let at = 2; bytes.readUInt8(at) === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return Math.max(bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7));
  }
  return 0;
}

function webpSide(bytes: Buffer): number {
  const format = bytes.toString("latin1", 12, 16);
  if (format === "VP8X") return 1 + Math.max(bytes.readUIntLE(24, 3), bytes.readUIntLE(27, 3));
  if (format === "VP8 ") return Math.max(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  if (format !== "VP8L") return 0;
  const sides = bytes.readUInt32LE(21);
  return 1 + Math.max(sides & 0x3fff, (sides >>> 14) & 0x3fff);
}

/** The height counts its mask, too, and is negative if the rows begin at the top. */
function bitmapSide(image: Buffer): number {
  return Math.max(Math.abs(image.readInt32LE(4)), Math.abs(image.readInt32LE(8)) / 2);
}

/** Of its screen, or of a frame that reaches beyond it. Browsers show what comes before its end, or before nonsense. */
function gifSide(bytes: Buffer): number {
  const colorBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const endOfParts = (from: number): number => {
    let at = from;
    for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) at += 1 + length;
    return at + 1;
  };
  let largest = Math.max(bytes.readUInt16LE(6), bytes.readUInt16LE(8));
  for (let at = 13 + colorBytes(bytes.readUInt8(10)); ; ) {
    if (bytes[at] === GIF_EXTENSION) at = endOfParts(at + 2);
    else if (bytes[at] === GIF_IMAGE) {
      const sideOf = (start: number, length: number) =>
        bytes.readUInt16LE(at + start) + bytes.readUInt16LE(at + length);
      largest = Math.max(largest, sideOf(1, 5), sideOf(3, 7));
      // After its own colors there is one byte, and then its parts.
      at = endOfParts(at + 10 + colorBytes(bytes.readUInt8(at + 9)) + 1);
    } else return largest;
  }
}

/** Of its largest image: PNGs and bitmaps say their size themselves, whatever the table in front of them does. */
function icoSide(bytes: Buffer): number {
  const count = bytes.readUInt16LE(4);
  if (count > ICO_IMAGES_MAX) return 0;
  let largest = 0;
  for (let at = 6; at < 6 + 16 * count; at += 16) {
    const image = bytes.subarray(bytes.readUInt32LE(at + 12));
    const isPng = startsWith(image, PNG);
    largest = Math.max(largest, isPng ? pngSide(image) : bitmapSide(image));
  }
  return largest;
}
