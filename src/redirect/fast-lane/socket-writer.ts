import type { Socket } from "bun";

/** Buffers what a socket doesn't accept: the socket itself would drop it. */
export class SocketWriter<Data> {
  #socket: Socket<Data> | undefined;
  #waiting: Buffer[] = [];
  #isEnding = false;

  /** Without a socket, everything is buffered until `attach`. */
  constructor(socket?: Socket<Data>) {
    this.#socket = socket;
  }

  /** Callers should stop writing until `drain` returns true. */
  get isFull(): boolean {
    return this.#waiting.length > 0;
  }

  attach(socket: Socket<Data>): void {
    this.#socket = socket;
    this.drain();
  }

  /** Text must be ASCII. */
  write(data: Buffer | string): void {
    const taken = this.#socket === undefined || this.isFull ? 0 : Math.max(0, this.#socket.write(data));
    if (taken === data.length) return;
    const bytes = typeof data === "string" ? Buffer.from(data, "latin1") : data;
    this.#waiting.push(bytes.subarray(taken));
  }

  /** Call when the socket accepts data again. Returns whether everything is written. */
  drain(): boolean {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const bytes of waiting) this.write(bytes);
    if (this.isFull) return false;
    if (this.#isEnding) this.#socket?.shutdown();
    return true;
  }

  /** Closes this direction after everything is written; `end` on the socket would close both. */
  end(): void {
    this.#isEnding = true;
    if (!this.isFull) this.#socket?.shutdown();
  }
}
