import { connect, type Socket } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The connection ended before a whole answer was there. */
export class Broken extends Error {}

const CONNECT_MS_MAX = 5000;

/** One TCP connection, spoken to in bytes: nothing is pooled, retried or corrected. */
export class RawConnection {
  readonly closed: Promise<void>;
  readonly clientPort: number;
  readonly #socket: Socket;
  #received = "";
  #wake: () => void = () => {};
  #isAwaited = false;
  #isClosed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.clientPort = socket.localPort ?? 0;
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      this.#received += text;
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      socket.on("close", () => {
        this.#isClosed = true;
        this.#wake();
        resolve();
      });
    });
  }

  static open(port: number): Promise<RawConnection> {
    const { promise, resolve, reject } = Promise.withResolvers<RawConnection>();
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    // A reset also arrives as the end of the connection, which is where it is looked at.
    socket.on("error", (error) => reject(new Broken(`not connected: ${error.message}`)));
    socket.setTimeout(CONNECT_MS_MAX, () => reject(new Broken("not connected in time")));
    socket.once("connect", () => {
      socket.setTimeout(0);
      resolve(new RawConnection(socket));
    });
    return promise;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Everything received that no answer was made of. */
  get received(): string {
    return this.#received;
  }

  send(bytes: string): void {
    this.#socket.write(bytes, "latin1");
  }

  async request(request: RawRequest): Promise<RawAnswer> {
    this.send(toBytes(request));
    return this.answer();
  }

  /** The next whole answer. */
  async answer(msMax = 30_000): Promise<RawAnswer> {
    if (this.#isAwaited) throw new Error("two at a time wait for an answer on one connection");
    this.#isAwaited = true;
    const deadline = setTimeout(() => this.close(), msMax);
    try {
      for (;;) {
        const parsed = parseAnswer(this.#received, this.#isClosed);
        if (parsed) {
          this.#received = this.#received.slice(parsed.length);
          return parsed.answer;
        }
        if (this.#isClosed) throw new Broken(`closed after ${this.#received.length} bytes`);
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.#isAwaited = false;
      clearTimeout(deadline);
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** One request on a connection of its own. */
export async function askOnce(port: number, request: RawRequest): Promise<RawAnswer> {
  const connection = await RawConnection.open(port);
  try {
    return await connection.request({ ...request, headers: { connection: "close", ...request.headers } });
  } finally {
    connection.close();
  }
}

export function toBytes({ method = "GET", path, headers = {}, body }: RawRequest): string {
  const all = {
    host: "localhost",
    ...headers,
    ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body, "latin1")) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`;
}

function parseAnswer(text: string, isEnded: boolean): { answer: RawAnswer; length: number } | undefined {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const [statusLine = "", ...lines] = text.slice(0, headEnd).split("\r\n");
  const headers = new Map(lines.map((line) => splitHeader(line)));
  const declared = headers.get("content-length");
  if (declared === undefined && !isEnded) return undefined;
  const bodyStart = headEnd + 4;
  const length = declared === undefined ? text.length : bodyStart + Number(declared);
  if (text.length < length) return undefined;
  const status = Number(statusLine.split(" ")[1]);
  return { answer: { status, headers, body: text.slice(bodyStart, length) }, length };
}

function splitHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
