import { BadArchive } from "./bad-archive.ts";

/** Reads as many bytes as are asked for from parts of any size. */
export class ByteReader {
  readonly #parts: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(parts: AsyncIterable<Uint8Array>) {
    this.#parts = parts[Symbol.asyncIterator]();
  }

  /** At least one byte and at most so many; `null` at the end. */
  async some(bytesMax: number): Promise<Uint8Array | null> {
    while (this.#rest.byteLength === 0) {
      const { done, value } = await this.#parts.next();
      if (done) return null;
      this.#rest = value;
    }
    const bytes = this.#rest.subarray(0, bytesMax);
    this.#rest = this.#rest.subarray(bytes.byteLength);
    return bytes;
  }

  /** Exactly so many; `null` if there are none at all. */
  async exactly(bytes: number): Promise<Uint8Array | null> {
    const first = await this.some(bytes);
    if (first === null || first.byteLength === bytes) return first;
    const found = [first];
    for (let missing = bytes - first.byteLength; missing > 0; ) {
      const next = await this.some(missing);
      if (next === null) throw new BadArchive("The archive is incomplete: it ends in the middle of a file.");
      found.push(next);
      missing -= next.byteLength;
    }
    return Buffer.concat(found);
  }

  async close(): Promise<void> {
    await this.#parts.return?.();
  }
}
