import { inflateSync } from "node:zlib";
import { convertIndexedToRgb, type DecodedPng, decode } from "fast-png";
import { LOGO_BYTES_MAX, LOGO_SIDE_MAX } from "#contract/limits.ts";
import type { Picture } from "./drawing/picture.ts";
import { InvalidLogo } from "./invalid-logo.ts";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const HEAD_BYTES = 8;
const CHUNK_FRAME_BYTES = 12;
/** The chunks that define pixels. Others, such as text, color profiles and animations, are ignored. */
const KEPT_CHUNKS: readonly string[] = ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"];

interface Chunk {
  readonly type: string;
  readonly data: Uint8Array;
  /** Including length, type and checksum. */
  readonly whole: Uint8Array;
}

/** Reads an untrusted PNG with bounded cost, whatever it claims to be. */
export function readPicture(file: Uint8Array): Picture {
  if (file.length > LOGO_BYTES_MAX) throw new InvalidLogo(`the logo is larger than ${LOGO_BYTES_MAX / 1024} KiB`);
  if (SIGNATURE.some((byte, at) => file[at] !== byte)) throw new InvalidLogo("the logo must be a PNG file");
  const chunks = readChunks(file).filter(({ type }) => KEPT_CHUNKS.includes(type));
  checkSize(chunks);
  return decodePicture(Buffer.concat([file.subarray(0, HEAD_BYTES), ...chunks.map(({ whole }) => whole)]));
}

function readChunks(file: Uint8Array): Chunk[] {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const chunks: Chunk[] = [];
  for (let at = HEAD_BYTES; at < file.length; ) {
    const length = at + CHUNK_FRAME_BYTES > file.length ? -1 : view.getUint32(at);
    const end = at + CHUNK_FRAME_BYTES + length;
    if (length < 0 || end > file.length) throw damaged();
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    chunks.push({ type, data: file.subarray(at + 8, end - 4), whole: file.subarray(at, end) });
    if (type === "IEND") break;
    at = end;
  }
  return chunks;
}

/** A few bytes can decompress to gigabytes, so the output is limited to what the size in the header can need. */
function checkSize(chunks: readonly Chunk[]): void {
  const header = chunks[0];
  if (header?.type !== "IHDR" || header.data.length !== 13) throw damaged();
  const view = new DataView(header.data.buffer, header.data.byteOffset, header.data.length);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  if (width === 0 || height === 0) throw damaged();
  if (width > LOGO_SIDE_MAX || height > LOGO_SIDE_MAX) {
    throw new InvalidLogo(`the logo is larger than ${LOGO_SIDE_MAX} × ${LOGO_SIDE_MAX} pixels`);
  }
  const packed = Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data));
  // At most eight bytes per pixel, plus a filter byte per row in each of seven passes.
  const unpackedMax = 8 * (width + 1) * (height + 8);
  try {
    inflateSync(packed, { maxOutputLength: unpackedMax });
  } catch {
    throw damaged();
  }
}

function decodePicture(png: Uint8Array): Picture {
  try {
    const decoded = decode(png, { checkCrc: true });
    return { width: decoded.width, height: decoded.height, rgba: toRgba(decoded) };
  } catch (error) {
    throw error instanceof InvalidLogo ? error : damaged();
  }
}

function toRgba(decoded: DecodedPng): Uint8Array {
  const { data, depth, palette, transparency, width, height } = decoded;
  if (depth < 8 && !palette) throw new InvalidLogo("the logo must have at least 8 bits per channel");
  const samples = palette ? convertIndexedToRgb(decoded) : data;
  const channels = palette ? (palette[0]?.length ?? 3) : decoded.channels;
  const shift = depth === 16 ? 8 : 0;
  const rgba = new Uint8Array(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const from = pixel * channels;
    const isGrey = channels < 3;
    for (let part = 0; part < 3; part += 1)
      rgba[pixel * 4 + part] = (samples[from + (isGrey ? 0 : part)] ?? 0) >> shift;
    if (channels % 2 === 0) rgba[pixel * 4 + 3] = (samples[from + channels - 1] ?? 0) >> shift;
    else if (transparency?.length && transparency.every((value, part) => samples[from + part] === value)) {
      rgba[pixel * 4 + 3] = 0;
    }
  }
  return rgba;
}

const damaged = (): InvalidLogo => new InvalidLogo("the logo is damaged or not a readable PNG");
