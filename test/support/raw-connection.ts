import { connect, type Socket } from "node:net";
import { parseAnswer, type RawAnswer, type RawRequest, toBytes } from "./raw-message.ts";

/** The connection ended before a whole answer had arrived. */
export class Broken extends Error {}

const CONNECT_MS_MAX = 60_000;
const ANSWER_MS_MAX = 60_000;

/** One TCP connection that sends plain bytes: nothing is pooled, retried or corrected. */
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
    // A reset also ends the connection, which is handled below.
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

  /** Everything received that isn't part of an answer yet. */
  get received(): string {
    return this.#received;
  }

  send(bytes: string): void {
    this.#socket.write(bytes, "latin1");
  }

  async request(request: RawRequest): Promise<RawAnswer> {
    this.send(toBytes(request));
    return this.answer(request.method);
  }

  /** The next whole answer. */
  async answer(method = "GET", msMax = ANSWER_MS_MAX): Promise<RawAnswer> {
    if (this.#isAwaited) throw new Error("two callers wait for an answer on one connection");
    this.#isAwaited = true;
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
      this.close();
    }, msMax);
    try {
      for (;;) {
        const parsed = parseAnswer(this.#received, method, this.#isClosed);
        if (parsed) {
          this.#received = this.#received.slice(parsed.length);
          return parsed.value;
        }
        if (isLate) throw new Error(`no answer within ${msMax} ms`);
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
export const askOnce = (port: number, request: RawRequest): Promise<RawAnswer> =>
  sendOnce(port, toBytes({ ...request, headers: withClose(request.headers) }), request.method);

/** The same with raw bytes, which need not be a request. */
export async function sendOnce(port: number, bytes: string, method?: string): Promise<RawAnswer> {
  const connection = await RawConnection.open(port);
  try {
    connection.send(bytes);
    return await connection.answer(method);
  } finally {
    connection.close();
  }
}

const withClose = (headers: RawRequest["headers"] = []): NonNullable<RawRequest["headers"]> =>
  headers.some(([name]) => name.toLowerCase() === "connection") ? headers : [["Connection", "close"], ...headers];
