import type { Socket } from "node:net";
import { Duplex } from "node:stream";

export class AllowanceExceeded extends Error {
  override readonly name = "AllowanceExceeded";
  readonly code = "TOO_MANY_BYTES";
}

// A parser that has seen enough can stop after each piece, and most heads fit into one.
const PIECE_BYTES = 1024;

/**
 * A connection on which the other side may send so many bytes and not one more. The parser behind it gets no byte beyond
 * the allowance, however many came at once: a single read may bring hundreds of kilobytes.
 */
export class MeteredStream extends Duplex {
  readonly #socket: Socket;
  #bytesLeft: number;

  constructor(socket: Socket, bytesMax: number) {
    super();
    this.#socket = socket;
    this.#bytesLeft = bytesMax;
    socket.on("data", (bytes: Buffer) => this.#take(bytes));
    socket.on("end", () => this.push(null));
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.destroy());
  }

  /** Replaces what is left of the allowance. */
  allow(bytesMax: number): void {
    this.#bytesLeft = bytesMax;
  }

  #take(bytes: Buffer): void {
    let rest = bytes;
    // What is passed on may raise the allowance: the end of the head and the beginning of the body arrive together.
    while (rest.byteLength > 0 && this.#bytesLeft > 0 && !this.destroyed) {
      const part = rest.subarray(0, Math.min(PIECE_BYTES, this.#bytesLeft));
      this.#bytesLeft -= part.byteLength;
      rest = rest.subarray(part.byteLength);
      if (!this.push(part)) this.#socket.pause();
    }
    if (rest.byteLength > 0) this.destroy(new AllowanceExceeded("The other side sent more than it may."));
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(bytes: Uint8Array, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
