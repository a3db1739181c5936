import { StringDecoder } from "node:string_decoder";

/** The part of a socket that the sender needs: `write` accepts as many bytes as fit and returns how many. */
export interface ByteSink {
  write(bytes: Uint8Array): number;
}

const LINE_LENGTH_MAX = 4 * 1024 * 1024;
const BACKLOG_BYTES_MAX = 4 * 1024 * 1024;

/** The peer violated the protocol or doesn't read, so its connection must be closed. */
export class LineProtocolError extends Error {}

/** Splits a byte stream into JSON lines. */
export class LineReader {
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";

  read(chunk: Buffer): unknown[] {
    const lines = (this.#rest + this.#decoder.write(chunk)).split("\n");
    this.#rest = lines.pop() ?? "";
    if (this.#rest.length > LINE_LENGTH_MAX) throw new LineProtocolError("a line is too long");
    try {
      return lines.map((line): unknown => JSON.parse(line));
    } catch (error) {
      throw new LineProtocolError("a line is not JSON", { cause: error });
    }
  }
}

/** Sends whole lines in order, and queues what the socket doesn't accept at once. */
export class LineSender {
  readonly #sink: ByteSink;
  #backlog: Uint8Array[] = [];
  #backlogBytes = 0;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  send(message: object): void {
    const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
    if (this.#backlogBytes + bytes.length > BACKLOG_BYTES_MAX) throw new LineProtocolError("the peer doesn't read");
    this.#backlog.push(bytes);
    this.#backlogBytes += bytes.length;
    if (this.#backlog.length === 1) this.drain();
  }

  /** Call whenever the socket is writable again. */
  drain(): void {
    for (let next = this.#backlog[0]; next; next = this.#backlog[0]) {
      // A closed socket returns -1; its close event handles the rest.
      const written = Math.max(0, this.#sink.write(next));
      this.#backlogBytes -= written;
      if (written < next.length) {
        this.#backlog[0] = next.subarray(written);
        return;
      }
      this.#backlog.shift();
    }
  }
}
