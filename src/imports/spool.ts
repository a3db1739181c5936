import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";

/** The files of one import. */
export interface Spool {
  readonly directory: string;
  readonly links: string;
  readonly counts: string;
  /** What else the account has. */
  readonly extras: string;
  /** What couldn't be read, or is left to do. */
  readonly unreadable: string;
  /** What the check found, and what then happened. */
  readonly forecast: string;
  readonly problems: string;
}

export function spoolOf(root: string, importId: string): Spool {
  const directory = join(root, importId);
  const file = (name: string): string => join(directory, `${name}.ndjson`);
  return {
    directory,
    links: file("links"),
    counts: file("counts"),
    extras: file("extras"),
    unreadable: file("unreadable"),
    forecast: file("forecast"),
    problems: file("problems"),
  };
}

export const makeSpool = ({ directory }: Spool): void => void mkdirSync(directory, { recursive: true });

/** Whether what was read is still there. */
export const hasSpool = ({ links }: Spool): boolean => existsSync(links);

export const eraseSpool = ({ directory }: Pick<Spool, "directory">): void =>
  rmSync(directory, { recursive: true, force: true });

/** Everything but what people may still want to look at. */
export function eraseRead({ links, counts, extras }: Spool): void {
  for (const file of [links, counts, extras]) rmSync(file, { force: true });
}

const BUFFER_CHARACTERS = 256 * 1024;

/** Writes lines from the start of a file, many at a time. */
export class LineWriter {
  readonly #fd: number;
  #lines: string[] = [];
  #characters = 0;
  #bytes = 0;
  #isOpen = true;

  constructor(file: string) {
    this.#fd = openSync(file, "w");
  }

  get bytes(): number {
    return this.#bytes + this.#characters;
  }

  write(value: unknown): void {
    const line = `${JSON.stringify(value)}\n`;
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#characters >= BUFFER_CHARACTERS) this.#flush();
  }

  /** Durable from then on. */
  finish(): void {
    this.#flush();
    fsyncSync(this.#fd);
    this.close();
  }

  /** Once: the number may be another file's by then. */
  close(): void {
    if (this.#isOpen) closeSync(this.#fd);
    this.#isOpen = false;
  }

  #flush(): void {
    const bytes = Buffer.from(this.#lines.join(""));
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
    this.#bytes += bytes.length;
    this.#lines = [];
    this.#characters = 0;
  }
}

/** Replaces everything from an offset on, so that repeating it after a crash changes nothing. Returns where it ends. */
export function writeLinesAt(file: string, offset: number, values: readonly unknown[]): number {
  if (values.length === 0) return offset;
  const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
  const isNew = !existsSync(file);
  if (!isNew && statSync(file).size > offset) truncateSync(file, offset);
  const fd = openSync(file, isNew ? "w" : "r+");
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, offset + at);
  } finally {
    closeSync(fd);
  }
  return offset + bytes.length;
}

export interface SpooledLines<T> {
  readonly values: readonly T[];
  /** Where the next ones begin. */
  readonly end: number;
}

interface Portion {
  readonly linesMax: number;
  readonly bytesMax: number;
}

const READ_BYTES = 256 * 1024;
const LF = 0x0a;

/**
 * Lines from an offset on, up to the end of the file or of what is valid of it, some at a time: the same offset always
 * gives the same portions.
 */
export async function* readSpool<T>(
  file: string,
  offset: number,
  portion: Portion,
  validBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<SpooledLines<T>> {
  if (!existsSync(file)) return;
  const handle = await open(file, "r");
  try {
    let buffer: Buffer = Buffer.alloc(0);
    let readAt = offset;
    let end = offset;
    let values: T[] = [];
    let bytes = 0;
    for (;;) {
      const most = Math.min(READ_BYTES, validBytes - readAt);
      if (most <= 0) break;
      const { bytesRead, buffer: read } = await handle.read(Buffer.allocUnsafe(most), 0, most, readAt);
      if (bytesRead === 0) break;
      readAt += bytesRead;
      buffer = Buffer.concat([buffer, read.subarray(0, bytesRead)]);
      let start = 0;
      for (let lineEnd = buffer.indexOf(LF); lineEnd >= 0; lineEnd = buffer.indexOf(LF, start)) {
        values.push(JSON.parse(buffer.toString("utf8", start, lineEnd)) as T);
        const length = lineEnd + 1 - start;
        end += length;
        bytes += length;
        start = lineEnd + 1;
        if (values.length < portion.linesMax && bytes < portion.bytesMax) continue;
        yield { values, end };
        values = [];
        bytes = 0;
      }
      buffer = buffer.subarray(start);
    }
    if (values.length > 0) yield { values, end };
  } finally {
    await handle.close();
  }
}
