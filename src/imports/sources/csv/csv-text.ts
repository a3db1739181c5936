import { createReadStream } from "node:fs";
import { codeOf } from "#kernel/error-codes.ts";
import { SourceProblem } from "../../import-source.ts";

const CHUNK_BYTES = 64 * 1024;

/** The bytes of a file as UTF-8, some at a time: spreadsheets also write UTF-16, which starts with a mark. */
export async function* readUtf8(file: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stream = createReadStream(file, { highWaterMark: CHUNK_BYTES, signal });
  let transform: ((chunk: Uint8Array) => Uint8Array) | null = null;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      if (transform) {
        yield transform(chunk);
        continue;
      }
      if (isOtherFormat(chunk)) throw new SourceProblem("This isn't a CSV file. Save it as CSV (UTF-8).");
      const { skip, encoding } = findMark(chunk);
      transform = encoding === null ? (bytes) => bytes : toUtf8(new TextDecoder(encoding));
      yield transform(chunk.subarray(skip));
    }
  } catch (error) {
    throw explain(file, error);
  }
}

/** What people choose instead by mistake: spreadsheets (ZIP, or Excel's older format), PDF, images and gzip. */
const OTHER_FORMATS = ["PK\x03\x04", "\xd0\xcf\x11\xe0", "%PDF-", "\x89PNG", "\xff\xd8\xff", "GIF8", "\x1f\x8b"];

function isOtherFormat(bytes: Uint8Array): boolean {
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  return OTHER_FORMATS.some((format) => start.startsWith(format));
}

function findMark(bytes: Uint8Array): { readonly skip: number; readonly encoding: "utf-16le" | "utf-16be" | null } {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { skip: 3, encoding: null };
  if (a === 0xff && b === 0xfe) return { skip: 2, encoding: "utf-16le" };
  if (a === 0xfe && b === 0xff) return { skip: 2, encoding: "utf-16be" };
  return { skip: 0, encoding: null };
}

const toUtf8 =
  (decoder: TextDecoder) =>
  (chunk: Uint8Array): Uint8Array =>
    new TextEncoder().encode(decoder.decode(chunk, { stream: true }));

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "Kurz may not read it",
  EISDIR: "it is a directory",
};

function explain(file: string, error: unknown): unknown {
  const reason = REASONS[codeOf(error) ?? ""];
  return reason === undefined ? error : new SourceProblem(`${file} can't be read: ${reason}.`);
}
