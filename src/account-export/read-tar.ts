import { BadArchive } from "./bad-archive.ts";
import { ByteReader } from "./byte-reader.ts";
import { BLOCK_BYTES, checksumOf, fields, paddingOf } from "./tar-header.ts";

export interface TarEntry {
  readonly name: string;
  readonly bytes: number;
  /** To be read before the next entry is asked for; what isn't read is skipped. */
  readonly body: AsyncGenerator<Uint8Array>;
}

const PIECE_BYTES = 64 * 1024;
const TYPE_FILE = "0";

/** The files of a tar archive. Links, devices, long names and whatever else Kurz doesn't write are refused. */
export async function* readTar(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const reader = new ByteReader(bytes);
  try {
    for (let block = await reader.exactly(BLOCK_BYTES); ; block = await reader.exactly(BLOCK_BYTES)) {
      if (block === null) throw new BadArchive("The archive is incomplete: its end is missing.");
      if (isEmpty(block)) break;
      const { name, size } = readHeader(block);
      const body = readBody(reader, size);
      yield { name, bytes: size, body };
      for await (const _ of body);
      await reader.exactly(paddingOf(size));
    }
    for (let rest = await reader.some(PIECE_BYTES); rest !== null; rest = await reader.some(PIECE_BYTES)) {
      if (!isEmpty(rest)) throw new BadArchive("The archive has something after its end.");
    }
  } finally {
    await reader.close();
  }
}

async function* readBody(reader: ByteReader, size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; ) {
    const piece = await reader.some(Math.min(left, PIECE_BYTES));
    if (piece === null) throw new BadArchive("The archive is incomplete: it ends in the middle of a file.");
    left -= piece.byteLength;
    yield piece;
  }
}

function readHeader(block: Uint8Array): { name: string; size: number } {
  const text = (field: keyof typeof fields): string => {
    const { at, bytes } = fields[field];
    return (
      Buffer.from(block.subarray(at, at + bytes))
        .toString("latin1")
        .split("\0", 1)[0] ?? ""
    );
  };
  const octal = (field: keyof typeof fields): number => {
    const digits = text(field).trim();
    return /^[0-7]{1,11}$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
  };
  if (octal("checksum") !== checksumOf(block) || !text("magic").startsWith("ustar")) {
    throw new BadArchive("This isn't a tar archive, or it is damaged.");
  }
  const name = text("name");
  if (text("type") !== TYPE_FILE || text("prefix") !== "") {
    throw new BadArchive(`The archive has "${printable(name)}", which no export has.`);
  }
  const size = octal("size");
  if (Number.isNaN(size)) throw new BadArchive(`The size of "${printable(name)}" can't be read.`);
  return { name, size };
}

/** Names come from strangers, and end up in terminals and pages. */
export const printable = (text: string, most = 100): string => text.replace(/[^\x20-\x7e]/g, "?").slice(0, most);

const isEmpty = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);
