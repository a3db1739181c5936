import { write, writeSync } from "node:fs";

// PIPE_BUF of Linux: a write up to this size is never mixed with another process's.
const WRITE_BYTES_MAX = 4096;
const BUFFER_LENGTH_MAX = 8 * 1024 * 1024;
const RETRY_MS = 20;

/**
 * Writes lines on the thread pool, so that a slow reader never holds the event loop. `process.stdout` would buffer
 * without bound, lose its buffer at exit and make descriptors that other processes share non-blocking.
 */
export class LineWriter {
  readonly #fd: number;
  readonly #gatherMs: number;
  #lines: string[] = [];
  #length = 0;
  #dropped = 0;
  #readerGone = false;
  #busy = false;
  #idle: PromiseWithResolvers<void> | undefined;

  /** Lines that come within `gatherMs` share a write, which takes a thread of the pool and turns of the event loop. */
  constructor(fd: number, gatherMs: number) {
    this.#fd = fd;
    this.#gatherMs = gatherMs;
  }

  add(line: string): void {
    if (this.#readerGone) return;
    // Once full, it takes lines again when half of it is written, so that a gap is one gap and reported once.
    if (this.#length > (this.#dropped > 0 ? BUFFER_LENGTH_MAX / 2 : BUFFER_LENGTH_MAX)) {
      this.#dropped += 1;
      return;
    }
    this.#tellDropped();
    this.#push(line);
    if (this.#busy) return;
    this.#busy = true;
    setTimeout(() => this.#writeNext(), this.#gatherMs);
  }

  /** Resolves when nothing is left to write. */
  flushed(): Promise<void> {
    if (!this.#busy) return Promise.resolve();
    this.#idle ??= Promise.withResolvers();
    return this.#idle.promise;
  }

  /** The last chance at exit; what the thread pool has already is left to it. */
  flushSync(): void {
    try {
      while (this.#lines.length > 0) writeSync(this.#fd, this.#takeChunk());
    } catch {
      this.#clear();
    }
  }

  #writeNext(): void {
    if (this.#lines.length === 0) this.#tellDropped();
    if (this.#lines.length > 0) {
      this.#write(Buffer.from(this.#takeChunk()));
      return;
    }
    this.#busy = false;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  #write(chunk: Buffer): void {
    write(this.#fd, chunk, (error, written) => {
      if (error?.code === "EAGAIN") {
        setTimeout(() => this.#write(chunk), RETRY_MS);
      } else if (!error && written < chunk.length) {
        this.#write(chunk.subarray(written));
      } else {
        if (error?.code === "EPIPE") this.#readerGone = true;
        if (this.#readerGone) this.#clear();
        this.#writeNext();
      }
    });
  }

  #takeChunk(): string {
    let count = 0;
    let bytes = 0;
    for (const line of this.#lines) {
      bytes += Buffer.byteLength(line);
      if (count > 0 && bytes > WRITE_BYTES_MAX) break;
      count += 1;
    }
    const chunk = this.#lines.splice(0, count).join("");
    this.#length -= chunk.length;
    return chunk;
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    const notice = {
      time: new Date().toISOString(),
      level: "warn",
      message: "log lines dropped",
      dropped: this.#dropped,
    };
    this.#dropped = 0;
    this.#push(`${JSON.stringify(notice)}\n`);
  }

  #push(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
  }

  #clear(): void {
    this.#lines = [];
    this.#length = 0;
    this.#dropped = 0;
  }
}
