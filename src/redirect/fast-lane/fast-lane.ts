import type { Socket } from "bun";
import type { RedirectStatus } from "#visits/link-settings.ts";
import type { Answers } from "../answers.ts";
import type { RequestText } from "../click-sink.ts";
import type { ShortLinks } from "../no-short-links.ts";
import { Connection, type LaneAnswer } from "./connection.ts";
import type { CallClient, ControlCall } from "./control-call.ts";
import { ControlCalls, type ControlCallsOptions } from "./control-calls.ts";
import { DescriptorLimit } from "./descriptor-limit.ts";
import { HandoverPace } from "./handover-pace.ts";
import { HeadScanner } from "./head-scanner.ts";
import { OpenConnections } from "./open-connections.ts";
import { RedirectHeads } from "./redirect-heads.ts";
import { Relay, type RelayClient, type RelayOptions } from "./relay.ts";

export interface FastLaneOptions {
  readonly hostname: string;
  readonly port: number;
  /** A socket that listens there already; otherwise it opens one beside those of other processes. */
  readonly socket?: number | undefined;
  readonly shortLinks: Pick<ShortLinks, "findActive" | "redirect" | "isFresh" | "refresh">;
  readonly answers: Pick<Answers, "isDraining" | "redirectFieldsOf"> & ControlCallsOptions["answers"];
  /** Every header that is read for a redirect. */
  readonly headers: readonly string[];
  readonly requestIdOf: (request: RequestText) => string;
  readonly clientAddressOf: (request: RequestText, socketAddress: () => string) => string;
  /** Requests for the API, docs and console go here. */
  readonly control: Omit<ControlCallsOptions, "answers" | "onError">;
  /** The HTTP server that handles every other request. */
  readonly server: Pick<RelayOptions, "port" | "peers">;
  readonly onError: (error: unknown) => void;
  /** Called with the number of connections that were closed because file descriptors ran short. */
  readonly onShed: (count: number) => void;
  /** For all clients together; by default what the system allows. */
  readonly descriptorsMax?: number;
  /** The length of a second in all time limits. */
  readonly tickMs?: number;
}

export interface FastLane {
  readonly port: number;
  /**
   * Stops accepting, and closes connections that are idle after some time; fulfilled when only tunnels are left, which the
   * HTTP server ends.
   */
  leave(patienceMs?: number): Promise<void>;
  /** Ends event streams, which never end by themselves. */
  endStreams(): void;
  /** Fulfilled when the last connection is closed after `leave`. */
  readonly closed: Promise<void>;
  terminate(): void;
}

const TICK_MS = 1000;
/** Bun supports both for all listeners, but its types only have them for some. */
function listenerOf({ hostname, port, socket }: FastLaneOptions): { readonly hostname: string; readonly port: number } {
  const options: object = socket === undefined ? { hostname, port, reusePort: true } : { fd: socket };
  return options as { hostname: string; port: number };
}

/**
 * Answers visits of cached links straight from the socket. There are many of them and they are all alike, and building
 * request and response objects would take an HTTP server longer than everything else. All other requests are passed on
 * to control or to the HTTP server, byte for byte.
 */
export function startFastLane(options: FastLaneOptions): FastLane {
  const { shortLinks, answers, requestIdOf, clientAddressOf, onError } = options;
  const scanner = new HeadScanner(options.headers);
  const headsOf = (status: RedirectStatus): RedirectHeads =>
    new RedirectHeads(status, answers.redirectFieldsOf(status));
  const heads = { 301: headsOf(301), 302: headsOf(302), 307: headsOf(307), 308: headsOf(308) };
  const request: RequestText = {
    method: "GET",
    headers: scanner,
    get url() {
      return scanner.url;
    },
  };
  const calls = new ControlCalls({ ...options.control, answers, onError });
  const limit = new DescriptorLimit();
  const connections = new OpenConnections({
    tickMs: options.tickMs ?? TICK_MS,
    descriptorsMax: () => options.descriptorsMax ?? limit.forClients,
    descriptorsOfCalls: () => calls.connections,
    onTick() {
      limit.read();
      pace.resume();
    },
    onShed: options.onShed,
  });
  const pace = new HandoverPace(() => connections.hasRoomForRelay());
  const relayOptions = {
    ...options.server,
    onError,
    onClose() {
      connections.onRelayClose();
      pace.resume();
    },
  };
  let lastSeenNo = 0;
  let batch: { readonly written: Promise<void>; readonly connections: Connection[] } | undefined;

  let isRefreshed = false;
  let refresh: { readonly done: Promise<void>; readonly connections: Connection[] } | undefined;

  function answer(socketAddress: () => string): LaneAnswer | "later" | undefined {
    try {
      const link = shortLinks.findActive(scanner.slug, scanner.host);
      if (link === undefined || !link.isDirect) return undefined;
      if (!shortLinks.isFresh && !isRefreshed) return "later";
      const { location, status, written } = shortLinks.redirect(link, request, clientAddressOf(request, socketAddress));
      const isLast = scanner.isLast || answers.isDraining;
      return { text: heads[status].make(location, requestIdOf(request), isLast), written };
    } catch (error) {
      // The HTTP server answers with an error, and other connections aren't affected.
      onError(error);
      return undefined;
    }
  }

  function openCall(client: CallClient, head: Buffer, socketAddress: () => string): ControlCall | undefined {
    if (!calls.isFor(scanner)) return undefined;
    const facts = { requestId: requestIdOf(request), clientAddress: clientAddressOf(request, socketAddress) };
    return calls.open(client, head.toString("latin1"), scanner, facts);
  }

  /** One callback answers all connections that wait for the same journal write. */
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

  /** Without change notifications, the cache is refreshed once for all requests that have arrived. */
  function readAfterRefresh(connection: Connection): void {
    const done = shortLinks.refresh();
    if (refresh?.done === done) {
      refresh.connections.push(connection);
      return;
    }
    const waiting = [connection];
    refresh = { done, connections: waiting };
    const readOn = (): void => {
      isRefreshed = true;
      try {
        for (const waiter of waiting) waiter.flush();
      } finally {
        isRefreshed = false;
      }
    };
    done.then(readOn, readOn);
  }

  const connectionOptions = {
    scanner,
    answer,
    flushAfter,
    readAfterRefresh,
    openCall,
    pace,
    openRelay(client: RelayClient, isLast: boolean) {
      connections.onRelayOpen();
      return new Relay(relayOptions, client, isLast);
    },
    isDraining: () => answers.isDraining,
    nextSeenNo() {
      lastSeenNo += 1;
      return lastSeenNo;
    },
    onTunnel: () => connections.onTunnel(),
    onClose: (connection: Connection) => connections.onClose(connection),
  };

  const listener = Bun.listen<Connection>({
    ...listenerOf(options),
    allowHalfOpen: true,
    socket: {
      open(socket) {
        // Read now: once a client resets its connection, the address is gone.
        const address = socket.remoteAddress;
        socket.data = new Connection(socket, address ?? "", connectionOptions);
        connections.add(socket.data);
        if (address === undefined) socket.terminate();
      },
      data: (socket, bytes) => socket.data.onData(bytes),
      drain: (socket) => socket.data.onDrain(),
      end: (socket) => socket.data.onEnd(),
      close: (socket) => socket.data.onClose(),
      error(socket: Socket<Connection>, error) {
        onError(error);
        socket.terminate();
      },
    },
  });

  void connections.closed.then(() => limit.close());
  return {
    // Unknown of a socket that someone else has opened.
    port: listener.port ?? options.port,
    closed: connections.closed.then(() => calls.close()),
    endStreams: () => calls.endStreams(),
    leave(patienceMs = 0) {
      listener.stop();
      return connections.leave(patienceMs);
    },
    terminate: () => connections.terminate(),
  };
}
