import type { Socket } from "bun";
import type { Answers } from "../answers.ts";
import type { RequestText } from "../click-sink.ts";
import type { Visitor } from "../visitor.ts";
import { Connection, type LaneAnswer } from "./connection.ts";
import { HeadScanner } from "./head-scanner.ts";
import { RedirectHeads } from "./redirect-heads.ts";
import { Relay, type RelayClient, type RelayOptions } from "./relay.ts";

export interface FastLaneOptions {
  readonly hostname: string;
  readonly port: number;
  readonly visitor: Visitor;
  readonly answers: Answers;
  /** Every header that is read on the way of a redirect. */
  readonly headers: readonly string[];
  readonly requestIdOf: (request: RequestText) => string;
  readonly clientAddressOf: (request: RequestText, socketAddress: () => string) => string;
  /** The HTTP server that takes every other request. */
  readonly server: RelayOptions;
  readonly onError: (error: unknown) => void;
}

export interface FastLane {
  readonly port: number;
  /** Takes no more connections and closes idle ones; resolves when the last one is closed. */
  stop(): Promise<void>;
  terminate(): void;
}

const TICK_MS = 1000;
// Bun knows it for listeners of any kind, its types only for some.
const SHARED_PORT = { reusePort: true };

/**
 * Answers the requests that are many and all alike, visits of known links, straight from the socket: an HTTP server that
 * builds objects of every request takes more time for those than for all the rest. What is not exactly such a request is
 * handed to the HTTP server, octet by octet.
 */
export function startFastLane(options: FastLaneOptions): FastLane {
  const { visitor, answers, requestIdOf, clientAddressOf } = options;
  const scanner = new HeadScanner(options.headers);
  const heads = new RedirectHeads(answers.redirectFields);
  const request: RequestText = {
    method: "GET",
    headers: scanner,
    get url() {
      return scanner.url;
    },
  };
  const connections = new Set<Connection>();
  const closed = Promise.withResolvers<void>();
  let isStopping = false;
  let batch: { readonly written: Promise<void>; readonly connections: Connection[] } | undefined;

  function answer(socketAddress: () => string): LaneAnswer | undefined {
    const link = visitor.findActive(scanner.slug);
    if (link === undefined || !link.isPlain) return undefined;
    const { location, written } = visitor.redirect(link, request, clientAddressOf(request, socketAddress));
    return { text: heads.make(location, requestIdOf(request), answers.isDraining), written };
  }

  /** All connections that wait for one write of the journal are answered by one callback. */
  function flushAfter(written: Promise<void>, connection: Connection): void {
    if (batch?.written === written) {
      batch.connections.push(connection);
      return;
    }
    const flushed = [connection];
    const flush = (): void => {
      for (const waiting of flushed) waiting.flush();
    };
    batch = { written, connections: flushed };
    written.then(flush, flush);
  }

  const connectionOptions = {
    scanner,
    answer,
    flushAfter,
    openRelay: (client: RelayClient) => new Relay(options.server, client),
    isDraining: () => answers.isDraining,
    onClose(connection: Connection) {
      connections.delete(connection);
      if (isStopping && connections.size === 0) closed.resolve();
    },
  };

  const listener = Bun.listen<Connection>({
    hostname: options.hostname,
    port: options.port,
    ...SHARED_PORT,
    allowHalfOpen: true,
    socket: {
      open(socket) {
        socket.data = new Connection(socket, connectionOptions);
        connections.add(socket.data);
      },
      data: (socket, bytes) => socket.data.onData(bytes),
      drain: (socket) => socket.data.onDrain(),
      end: (socket) => socket.data.onEnd(),
      close: (socket) => socket.data.onClose(),
      error(socket: Socket<Connection>, error) {
        options.onError(error);
        socket.terminate();
      },
    },
  });
  const timer = setInterval(() => {
    for (const connection of connections) connection.tick();
  }, TICK_MS);

  return {
    port: listener.port,
    async stop() {
      isStopping = true;
      listener.stop();
      for (const connection of connections) connection.leave();
      if (connections.size === 0) closed.resolve();
      await closed.promise;
      clearInterval(timer);
    },
    terminate() {
      clearInterval(timer);
      for (const connection of connections) connection.terminate();
    },
  };
}
