import type { Socket } from "bun";

/** What happened to all visitors together. */
export interface Tally {
  /** Answered with a redirect. */
  visits: number;
  calls: number;
  readonly failures: string[];
  slowestMs: number;
}

export interface VisitorsTarget {
  readonly port: number;
  readonly slugs: readonly string[];
  readonly userAgent: string;
  readonly tally: Tally;
}

const AT_ONCE = 8;
const PAUSE_MS = 5;

interface Visitors {
  stop(): Promise<void>;
}

/** Each visit on a connection of its own, from several visitors at once. */
export const startNewVisitors = (target: VisitorsTarget): Visitors => start(target, false);

/** Each visitor keeps its connection until an answer says that it is the last one. */
export const startKeptVisitors = (target: VisitorsTarget): Visitors => start(target, true);

function start(target: VisitorsTarget, keeps: boolean): Visitors {
  let isStopping = false;
  const visitors = Array.from({ length: AT_ONCE }, async (_, visitor) => {
    let connection: Connection | undefined;
    for (let visit = visitor; !isStopping; visit += 1) {
      const startedAt = performance.now();
      try {
        connection ??= await Connection.open(target.port);
        const head = await connection.get(target.slugs[visit % target.slugs.length] ?? "", target.userAgent, keeps);
        if (head.startsWith("HTTP/1.1 302 ")) target.tally.visits += 1;
        else target.tally.failures.push(head.split("\r\n", 1)[0] ?? "");
        if (!keeps || /^connection: close\r?$/im.test(head)) {
          connection.close();
          connection = undefined;
        }
      } catch (error) {
        target.tally.failures.push(`${keeps ? "kept" : "new"} connection: ${error}`);
        connection?.close();
        connection = undefined;
      }
      target.tally.slowestMs = Math.max(target.tally.slowestMs, performance.now() - startedAt);
      await Bun.sleep(PAUSE_MS);
    }
    connection?.close();
  });
  return {
    async stop() {
      isStopping = true;
      await Promise.all(visitors);
    },
  };
}

/** Without a client library, which would repeat a request that failed, and nobody would know. */
class Connection {
  readonly #socket: Socket<undefined>;
  readonly #port: number;
  #text = "";
  #answer: PromiseWithResolvers<string> | undefined;
  #problem: unknown;

  private constructor(socket: Socket<undefined>, port: number) {
    this.#socket = socket;
    this.#port = port;
  }

  static async open(port: number): Promise<Connection> {
    let connection: Connection | undefined;
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        data: (_, bytes) => connection?.onText(bytes.toString("latin1")),
        close: () => connection?.onEnd("closed without an answer"),
        error: (_, error) => connection?.onEnd(error),
      },
    });
    connection = new Connection(socket, port);
    return connection;
  }

  get(slug: string, userAgent: string, keeps: boolean): Promise<string> {
    this.#answer = Promise.withResolvers<string>();
    if (this.#problem !== undefined) this.#answer.reject(this.#problem);
    const option = keeps ? "" : "connection: close\r\n";
    this.#socket.write(
      `GET /${slug} HTTP/1.1\r\nhost: 127.0.0.1:${this.#port}\r\nuser-agent: ${userAgent}\r\n${option}\r\n`,
    );
    return this.#answer.promise;
  }

  close(): void {
    this.#answer = undefined;
    this.#socket.end();
  }

  onText(text: string): void {
    this.#text += text;
    const end = this.#text.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = this.#text.slice(0, end);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    if (this.#text.length < end + 4 + length) return;
    this.#text = "";
    this.#answer?.resolve(head);
  }

  onEnd(problem: unknown): void {
    this.#problem = problem;
    this.#answer?.reject(problem);
  }
}
