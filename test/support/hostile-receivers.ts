import type { Socket } from "node:net";
import { startRawReceiver } from "./raw-receiver.ts";

export interface HostileReceiver {
  readonly url: string;
  connections(): number;
  stop(): Promise<void>;
}

const DRIP_MS = 1000;
const FLOOD_CHUNK = Buffer.alloc(64 * 1024, "x");
const INTERIM_CHUNK = Buffer.from("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(2000));

const pour = (socket: Socket, chunk: Buffer): void => {
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("drain", more);
  more();
};

/** What a receiver does when a request arrives. */
const manners = {
  hang: () => {},
  drip: (socket: Socket) => {
    socket.write("HTTP/1.1 200 OK\r\nX-Slow: ");
    const timer = setInterval(() => socket.write("x"), DRIP_MS);
    socket.once("close", () => clearInterval(timer));
  },
  flood: (socket: Socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");
    pour(socket, FLOOD_CHUNK);
  },
  interim: (socket: Socket) => pour(socket, INTERIM_CHUNK),
  fail: (socket: Socket) => {
    socket.end("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno");
  },
  reset: (socket: Socket) => {
    socket.resetAndDestroy();
  },
} satisfies Readonly<Record<string, (socket: Socket) => void>>;

const redirectTo =
  (location: string) =>
  (socket: Socket): void => {
    socket.end(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  };

/** A receiver that misbehaves. */
export async function startHostileReceiver(
  manner: keyof typeof manners | { readonly redirectTo: string },
): Promise<HostileReceiver> {
  const onRequest = typeof manner === "string" ? manners[manner] : redirectTo(manner.redirectTo);
  const { port, connections, stop } = await startRawReceiver({ onRequest });
  return { url: `http://127.0.0.1:${port}/hook`, connections, stop };
}
