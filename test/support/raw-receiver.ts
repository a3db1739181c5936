import type { AddressInfo, Server, Socket } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";

export interface RawReceiver {
  readonly port: number;
  /** What arrived on each connection, in the order they were opened. */
  readonly received: string[];
  connections(): number;
  openConnections(): number;
  stop(): Promise<void>;
}

export interface RawReceiverOptions {
  readonly hostname?: string;
  /** Speaks TLS if given, in PEM. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly onConnection?: (socket: Socket) => void;
  /** Called once for each connection, when the first byte has arrived. */
  readonly onRequest?: (socket: Socket) => void;
}

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";

/** A server that answers in raw bytes, so that it can misbehave; it answers 200 by default. */
export async function startRawReceiver(options: RawReceiverOptions = {}): Promise<RawReceiver> {
  const { hostname = "127.0.0.1", tls, onConnection, onRequest = (socket) => socket.end(OK) } = options;
  const received: string[] = [];
  const open = new Set<Socket>();
  const accept = (socket: Socket): void => {
    const index = received.push("") - 1;
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    socket.once("data", () => onRequest(socket));
    socket.on("data", (chunk) => {
      received[index] += chunk.toString();
    });
    onConnection?.(socket);
  };
  const server: Server = tls ? createTlsServer({ ...tls }, accept) : createTcpServer(accept);
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, hostname, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    received,
    connections: () => received.length,
    openConnections: () => open.size,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
