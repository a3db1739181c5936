import type { Socket } from "node:net";
import { Duplex } from "node:stream";

export class AllowanceExceeded extends Error {
  override readonly name = "AllowanceExceeded";
  readonly code = "TOO_MANY_BYTES";
}

// Small pieces let the parser stop early; most response headers fit into one.
const PIECE_BYTES = 1024;

/**
 * A connection that limits how many bytes the other side may send. The parser gets no byte beyond the allowance, even
 * if a single read returns hundreds of kilobytes.
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

  /** Resets the remaining allowance. */
  allow(bytesMax: number): void {
    this.#bytesLeft = bytesMax;
  }

  #take(bytes: Buffer): void {
    let rest = bytes;
    // Passing data on may raise the allowance: one piece may contain the end of the headers and the start of the body.
    while (rest.byteLength > 0 && this.#bytesLeft > 0 && !this.destroyed) {
      const part = rest.subarray(0, Math.min(PIECE_BYTES, this.#bytesLeft));
      this.#bytesLeft -= part.byteLength;
      rest = rest.subarray(part.byteLength);
      if (!this.push(part)) this.#socket.pause();
    }
    if (rest.byteLength > 0) this.destroy(new AllowanceExceeded("The other side sent too many bytes."));
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
