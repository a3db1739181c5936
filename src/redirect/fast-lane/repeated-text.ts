const NOTHING: Buffer = Buffer.alloc(0);

/** Makes a text of bytes that are mostly the same as last time, such as the host that clients ask for. */
export class RepeatedText {
  #bytes = NOTHING;
  #text = "";

  read(bytes: Buffer, start: number, end: number): string {
    if (!this.#isSame(bytes, start, end)) {
      this.#bytes = Buffer.from(bytes.subarray(start, end));
      this.#text = bytes.toString("latin1", start, end);
    }
    return this.#text;
  }

  /** Texts are short: a loop takes less than a call of the runtime's own comparison. */
  #isSame(bytes: Buffer, start: number, end: number): boolean {
    const known = this.#bytes;
    if (known.length !== end - start) return false;
    for (let index = 0; index < known.length; index += 1) if (bytes[start + index] !== known[index]) return false;
    return true;
  }
}
