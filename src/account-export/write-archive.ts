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
import type { ArchivedLinkPage } from "#links/account-links.ts";
import { BLOCK_BYTES, paddingOf, tarHeader } from "./tar-header.ts";

const compress = promisify(gzip);

/** A tar file has the size of each file before its bytes, so that much is kept in memory. */
const PART_CHARACTERS = 1024 * 1024;

type SmallFile = Exclude<ArchiveFile, "links" | "history">;

/** Records of each file, some at a time; they are asked for in the order of the archive. */
export type ArchiveRecords = {
  readonly [F in SmallFile]?: () => AsyncIterable<readonly ArchiveRecord<F>[]>;
} & {
  /** Each page becomes a part, with the histories of its links behind it. */
  readonly links: () => AsyncIterable<ArchivedLinkPage>;
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
  const files = new NumberedFiles();
  for (const file of archiveFileNames) {
    if (file === "history") continue;
    if (file === "links") yield* linkParts(files, records.links());
    else if (records[file]) yield* files.parts(file, records[file]());
  }
  yield { name: "end.json", text: jsonOf({ records: files.counted } satisfies ArchiveEnd) };
}

async function* linkParts(files: NumberedFiles, pages: AsyncIterable<ArchivedLinkPage>): AsyncGenerator<Part> {
  for await (const { links, history } of pages) {
    yield files.part("links", links.map(jsonOf).join(""), links.length);
    yield* files.parts("history", history());
  }
}

/** Numbers the parts of each file, and counts its records. */
class NumberedFiles {
  readonly counted: Partial<Record<ArchiveFile, number>> = {};
  readonly #parts = new Map<ArchiveFile, number>();

  part(file: ArchiveFile, text: string, records: number): Part {
    const no = (this.#parts.get(file) ?? 0) + 1;
    this.#parts.set(file, no);
    this.counted[file] = (this.counted[file] ?? 0) + records;
    return { name: nameOfPart(file, no), text };
  }

  /** Parts of about the same size; none if there are no records. */
  async *parts(file: ArchiveFile, pages: AsyncIterable<readonly object[]>): AsyncGenerator<Part> {
    let count = 0;
    let text = "";
    for await (const page of pages) {
      for (const record of page) {
        text += jsonOf(record);
        count += 1;
        if (text.length < PART_CHARACTERS) continue;
        yield this.part(file, text, count);
        count = 0;
        text = "";
      }
    }
    if (count > 0) yield this.part(file, text, count);
  }
}

const jsonOf = (value: object): string => `${JSON.stringify(value)}\n`;
