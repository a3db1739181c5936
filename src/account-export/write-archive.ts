import { promisify } from "node:util";
import { gzip } from "node:zlib";
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchiveEnd,
  type ArchiveFile,
  type ArchiveManifest,
  type ArchiveRecord,
  archiveFileNames,
  nameOfPart,
} from "#contract/account-archive.ts";
import { BLOCK_BYTES, paddingOf, tarHeader } from "./tar-header.ts";

const compress = promisify(gzip);

/** A tar file has the size of each file before its bytes, so that much is kept in memory. */
const PART_CHARACTERS = 1024 * 1024;

/** Records of each file, some at a time; they are asked for in the order of the archive. */
export type ArchiveRecords = {
  readonly [F in ArchiveFile]?: () => AsyncIterable<readonly ArchiveRecord<F>[]>;
};

export interface ArchiveContent {
  readonly manifest: Omit<ArchiveManifest, "format" | "version">;
  readonly records: ArchiveRecords;
}

/**
 * The bytes of an archive, made as they are consumed. Each part is compressed by itself, off the event loop: a gzip file
 * may have several members (RFC 1952 §2.2).
 */
export async function* writeArchive(content: ArchiveContent): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const modifiedAtMs = Date.parse(content.manifest.created_at);
  for await (const { name, text } of archiveParts(content)) {
    const bytes = Buffer.from(text);
    const header = tarHeader({ name, bytes: bytes.byteLength, modifiedAtMs });
    yield await compress(Buffer.concat([header, bytes, Buffer.alloc(paddingOf(bytes.byteLength))]));
  }
  yield await compress(Buffer.alloc(2 * BLOCK_BYTES));
}

interface Part {
  readonly name: string;
  readonly text: string;
}

async function* archiveParts({ manifest, records }: ArchiveContent): AsyncGenerator<Part> {
  yield { name: "manifest.json", text: jsonOf({ format: ARCHIVE_FORMAT, version: ARCHIVE_VERSION, ...manifest }) };
  const counted: Record<string, number> = {};
  for (const file of archiveFileNames) {
    const read = records[file];
    if (!read) continue;
    counted[file] = yield* fileParts(file, read());
  }
  yield { name: "end.json", text: jsonOf({ records: counted } satisfies ArchiveEnd) };
}

/** Returns how many records there were. A file without any has one empty part. */
async function* fileParts(file: ArchiveFile, pages: AsyncIterable<readonly object[]>): AsyncGenerator<Part, number> {
  let count = 0;
  let part = 1;
  let text = "";
  for await (const page of pages) {
    for (const record of page) {
      text += jsonOf(record);
      count += 1;
      if (text.length < PART_CHARACTERS) continue;
      yield { name: nameOfPart(file, part), text };
      part += 1;
      text = "";
    }
  }
  if (text !== "" || part === 1) yield { name: nameOfPart(file, part), text };
  return count;
}

const jsonOf = (value: object): string => `${JSON.stringify(value)}\n`;
