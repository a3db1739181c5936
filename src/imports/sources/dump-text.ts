import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { SourceProblem } from "#imports/import-source.ts";
import { isCompressionError } from "#kernel/error-codes.ts";

/** Longer than any value that fits a column of the services we read. */
const BUFFERED_MAX = 32 * 1024 * 1024;

/** The text ended in the middle of something. */
class TextEnd extends Error {}

/** A long text that is read piece by piece. */
export class DumpText {
  readonly #chunks: AsyncIterator<string>;
  readonly #signal: AbortSignal;
  #text = "";
  #at = 0;
  #isComplete = false;

  constructor(chunks: AsyncIterable<string>, signal: AbortSignal) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#signal = signal;
  }

  /** Stops reading. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Makes sure that the next characters are there, unless the text ends before. */
  async fill(characters: number): Promise<void> {
    while (this.#text.length - this.#at < characters && !this.#isComplete) await this.#more();
  }

  get isAtEnd(): boolean {
    return this.#isComplete && this.#at >= this.#text.length;
  }

  /**
   * Runs a reader that looks only at what has arrived, again with more of the text if that wasn't enough. What is left
   * incomplete by the end of the text is skipped, and `null`.
   */
  async read<T>(reader: (view: DumpView) => T): Promise<T | null> {
    for (;;) {
      const view = new DumpView(this.#text, this.#at);
      try {
        const value = reader(view);
        this.#at = view.at;
        return value;
      } catch (error) {
        if (!(error instanceof TextEnd)) throw error;
        if (this.#isComplete) {
          this.#at = this.#text.length;
          return null;
        }
        await this.#more();
      }
    }
  }

  async #more(): Promise<void> {
    this.#signal.throwIfAborted();
    if (this.#text.length - this.#at > BUFFERED_MAX) throw new SourceProblem("The file isn't a complete SQL dump.");
    const { done, value } = await this.#chunks.next();
    if (done) this.#isComplete = true;
    else this.#text = this.#text.slice(this.#at) + value;
    if (!done) this.#at = 0;
  }
}

/** What has arrived of the text. */
export class DumpView {
  readonly #text: string;
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  get next(): string {
    const character = this.#text[this.at];
    if (character === undefined) throw new TextEnd();
    return character;
  }

  take(): string {
    const character = this.next;
    this.at += 1;
    return character;
  }

  takeIf(character: string): boolean {
    if (this.next !== character) return false;
    this.at += 1;
    return true;
  }

  /** What the sticky expression finds here. It must not depend on what comes after the part that was filled. */
  match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at;
    const found = expression.exec(this.#text);
    if (found) this.at = expression.lastIndex;
    return found;
  }

  /** Everything up to the first character of the global expression, which stays. */
  until(expression: RegExp): string {
    expression.lastIndex = this.at;
    const found = expression.exec(this.#text);
    if (!found) throw new TextEnd();
    const text = this.#text.slice(this.at, found.index);
    this.at = found.index;
    return text;
  }

  skipPast(text: string): void {
    const found = this.#text.indexOf(text, this.at);
    if (found === -1) throw new TextEnd();
    this.at = found + text.length;
  }
}

/** A text of its own: one that was cut out of another keeps all of that in memory. */
export const copyOf = (text: string): string => Buffer.from(text).toString();

/** The text of a file, which may be compressed with gzip, or have been written by a shell that uses UTF-16. */
export async function* textOfFile(path: string): AsyncGenerator<string> {
  const [first = 0, second = 0] = await firstBytes(path);
  const isGzip = first === 0x1f && second === 0x8b;
  const decoder = new TextDecoder(first === 0xff && second === 0xfe ? "utf-16le" : "utf-8");
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  const bytes = isGzip ? file.pipe(createGunzip()) : file;
  file.on("error", (error) => bytes.destroy(error));
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk as Uint8Array, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (isCompressionError(error))
      throw new SourceProblem("The file isn't a complete gzip file: it is damaged or cut off.");
    throw error;
  } finally {
    file.destroy();
    bytes.destroy();
  }
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(2), 0, 2, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
