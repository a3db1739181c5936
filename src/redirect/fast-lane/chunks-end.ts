import { LINE_FEED } from "./byte-classes.ts";

const LINE_BYTES_MAX = 64;

/** Finds the end of a chunked body (RFC 9112 §7.1) from our own server, which sends no trailers. */
export class ChunksEnd {
  /** Left of the current chunk, including its line end. */
  #bytesLeft = 0;
  #sizeLine = "";
  #isLast = false;
  isComplete = false;

  /** Whether the next bytes start a new chunk, so the body could be ended here. */
  get isBetween(): boolean {
    return this.#bytesLeft === 0 && this.#sizeLine === "";
  }

  /** Returns how many of the bytes belong to the body. */
  pass(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length && !this.isComplete) {
      if (this.#bytesLeft === 0) at = this.#readSize(bytes, at);
      else {
        const taken = Math.min(this.#bytesLeft, bytes.length - at);
        this.#bytesLeft -= taken;
        at += taken;
        this.isComplete = this.#isLast && this.#bytesLeft === 0;
      }
    }
    return at;
  }

  #readSize(bytes: Buffer, start: number): number {
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    const end = lineFeed === -1 ? bytes.length : lineFeed + 1;
    this.#sizeLine += bytes.toString("latin1", start, end);
    if (this.#sizeLine.length > LINE_BYTES_MAX) throw new Error("the chunk size line is too long");
    if (lineFeed === -1) return end;
    if (!/^[0-9a-f]{1,8}\r\n$/i.test(this.#sizeLine)) throw new Error("the chunk size is not a number");
    const size = Number.parseInt(this.#sizeLine, 16);
    this.#sizeLine = "";
    this.#isLast = size === 0;
    this.#bytesLeft = size + 2;
    return end;
  }
}
