import { StringDecoder } from "node:string_decoder";

/** What the writer needs of a socket: `write` takes as many bytes as fit and drops the rest. */
export interface ByteSink {
  write(bytes: Uint8Array): number;
}

const LINE_LENGTH_MAX = 4 * 1024 * 1024;
const BACKLOG_BYTES_MAX = 4 * 1024 * 1024;

/** The peer broke the protocol or does not read; its connection has to end. */
export class LineProtocolError extends Error {}

/** Cuts a byte stream into JSON lines. */
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

/** Sends whole lines in order, keeping what the socket does not take at once. */
export class LineSender {
  readonly #sink: ByteSink;
  #backlog: Uint8Array[] = [];
  #backlogBytes = 0;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  send(message: object): void {
    const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
    if (this.#backlogBytes + bytes.length > BACKLOG_BYTES_MAX) throw new LineProtocolError("the peer does not read");
    this.#backlog.push(bytes);
    this.#backlogBytes += bytes.length;
    if (this.#backlog.length === 1) this.drain();
  }

  /** To be called whenever the socket can take bytes again. */
  drain(): void {
    for (let next = this.#backlog[0]; next; next = this.#backlog[0]) {
      // A closed socket answers -1; its close event ends everything.
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
