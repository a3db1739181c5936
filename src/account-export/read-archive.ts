import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { z } from "zod";
import {
  ARCHIVE_FORMAT,
  ARCHIVE_LINE_BYTES_MAX,
  ARCHIVE_PART_BYTES_MAX,
  ARCHIVE_VERSION,
  ArchiveEnd,
  type ArchiveFile,
  ArchiveManifest,
  type ArchiveRecord,
  archiveFileNames,
  archiveFiles,
  nameOfPart,
} from "#contract/account-archive.ts";
import { isCompressionError } from "#kernel/error-codes.ts";
import { BadArchive } from "./bad-archive.ts";
import { readLines } from "./read-lines.ts";
import { printable, readTar, type TarEntry } from "./read-tar.ts";

/** Some records of one file, in the order of the archive. */
export type ArchiveItem =
  | { readonly file: "manifest"; readonly records: readonly [ArchiveManifest] }
  | {
      [F in ArchiveFile]: { readonly file: F; readonly part: number; readonly records: readonly ArchiveRecord<F>[] };
    }[ArchiveFile];

/** Lists of counts compress well, but not two hundred times; gzip can do a thousand. */
const RATIO_MAX = 200;
const EXPANDED_BYTES_FREE = 256 * 1024 * 1024;
const MANIFEST = "manifest.json";
const END = "end.json";

/**
 * Reads an archive as a stream: a piece of it is in memory at a time, whatever it contains. Throws a `BadArchive` at the
 * first thing that isn't as Kurz writes it, and at the end if anything is missing.
 */
export async function* readArchive(compressed: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveItem> {
  const place = new Place();
  for await (const entry of readTar(expand(compressed))) {
    const { name } = entry;
    if (place.isDone) throw new BadArchive(`The archive has something after ${END}.`);
    if (place.isNew) {
      if (name !== MANIFEST)
        throw new BadArchive(`This isn't an export of a Kurz account: it doesn't begin with ${MANIFEST}.`);
      yield { file: "manifest", records: [await readManifest(entry)] };
      place.isNew = false;
    } else if (name === END) {
      place.finish(checked(ArchiveEnd, await readJson(entry), END));
    } else {
      const { file, part } = place.enter(entry);
      const schema: z.ZodType = archiveFiles[file];
      let lineNo = 0;
      for await (const lines of readLines(entry.body, { name, bytesMax: ARCHIVE_LINE_BYTES_MAX })) {
        const records = lines.map((line, index) => {
          const where = `line ${lineNo + index + 1} of ${name}`;
          return checked(schema, parse(line, where), where);
        });
        lineNo += lines.length;
        place.count(file, records.length);
        yield { file, part, records } as ArchiveItem;
      }
    }
  }
  if (!place.isDone) throw new BadArchive(`The archive is incomplete: ${END} is missing.`);
}

/** Which file comes next, and how many records there were. */
class Place {
  isNew = true;
  isDone = false;
  #step = 0;
  readonly #parts = new Map<ArchiveFile, number>();
  readonly #counted = new Map<string, number>();

  /** The file that an entry is a part of. */
  enter({ name, bytes }: TarEntry): { file: ArchiveFile; part: number } {
    const file = archiveFileNames.find((one) => name.startsWith(`${one}/`));
    if (file === undefined) throw new BadArchive(`The archive has "${printable(name)}", which no export has.`);
    if (stepOf(file) < this.#step || (file === "history" && !this.#parts.has("links"))) {
      throw new BadArchive(`"${printable(name)}" isn't where exports have it. Use the file as it was exported.`);
    }
    const part = (this.#parts.get(file) ?? 0) + 1;
    if (name !== nameOfPart(file, part)) {
      throw new BadArchive(`The archive has "${printable(name)}" where ${nameOfPart(file, part)} should be.`);
    }
    this.#step = stepOf(file);
    this.#parts.set(file, part);
    if (bytes > ARCHIVE_PART_BYTES_MAX) throw new BadArchive(`${name} is larger than any part of an export.`);
    return { file, part };
  }

  count(file: ArchiveFile, records: number): void {
    this.#counted.set(file, (this.#counted.get(file) ?? 0) + records);
  }

  finish({ records }: ArchiveEnd): void {
    const files = new Set([...Object.keys(records), ...this.#counted.keys()]);
    for (const file of files) {
      const [found, expected] = [this.#counted.get(file) ?? 0, records[file] ?? 0];
      if (found === expected) continue;
      throw new BadArchive(`The archive is damaged: ${printable(file)} has ${found} records instead of ${expected}.`);
    }
    this.isDone = true;
  }
}

/** Links and their histories take turns. */
const stepOf = (file: ArchiveFile): number => archiveFileNames.indexOf(file === "history" ? "links" : file);

async function readManifest(entry: TarEntry): Promise<ArchiveManifest> {
  const json = await readJson(entry);
  const { format, version } = (json ?? {}) as { format?: unknown; version?: unknown };
  if (format !== ARCHIVE_FORMAT) throw new BadArchive("This isn't an export of a Kurz account.");
  if (version !== ARCHIVE_VERSION) {
    throw new BadArchive(
      `The archive has version ${printable(String(version))} of the format, but this release reads version ` +
        `${ARCHIVE_VERSION}. Upgrade Kurz, then import it.`,
    );
  }
  return checked(ArchiveManifest, json, MANIFEST);
}

async function readJson({ name, body }: TarEntry): Promise<unknown> {
  const text: string[] = [];
  for await (const lines of readLines(body, { name, bytesMax: ARCHIVE_LINE_BYTES_MAX })) text.push(...lines);
  return parse(text.join("\n"), name);
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadArchive(`${capital(where)} isn't JSON.`);
  }
}

function checked<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const field = printable(issue?.path.join(".") ?? "");
  throw new BadArchive(`${capital(where)} isn't as exports have it${field === "" ? "" : `: check ${field}`}.`);
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Uncompresses, but not without end what was made to grow. */
async function* expand(compressed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let [read, made] = [0, 0];
  const counted = async function* () {
    for await (const bytes of compressed) {
      read += bytes.byteLength;
      yield bytes;
    }
  };
  const source = Readable.from(counted(), { highWaterMark: 1 });
  const gunzip = createGunzip();
  // Errors of both reach the loop.
  pipeline(source, gunzip, () => {});
  try {
    for await (const bytes of gunzip as AsyncIterable<Uint8Array>) {
      made += bytes.byteLength;
      if (made > EXPANDED_BYTES_FREE && made > RATIO_MAX * read) {
        throw new BadArchive("The archive expands to far more than any export does.");
      }
      yield bytes;
    }
  } catch (error) {
    throw isCompressionError(error)
      ? new BadArchive("The file isn't a complete gzip file: it is damaged or cut off.")
      : error;
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}
