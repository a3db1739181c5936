import type { Socket } from "bun";

export interface HostileReceiver {
  readonly url: string;
  /** How many connections it has had. */
  connections(): number;
  stop(): void;
}

const DRIP_MS = 1000;
const FLOOD_CHUNK = Buffer.alloc(64 * 1024, "x");

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";

/** What a receiver does with a connection when a request has come. */
const manners = {
  hang: () => {},
  drip: (socket: Socket) => {
    socket.write("HTTP/1.1 200 OK\r\nX-Slow: ");
    const timer = setInterval(() => {
      if (socket.write("x") <= 0) clearInterval(timer);
    }, DRIP_MS);
  },
  flood: (socket: Socket) => {
    socket.write(`${HEAD}\r\n`);
    const pour = (): void => {
      if (socket.write(FLOOD_CHUNK) >= 0) setTimeout(pour, 1);
    };
    pour();
  },
  fail: (socket: Socket) => {
    socket.end("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno");
  },
  reset: (socket: Socket) => {
    socket.terminate();
  },
} satisfies Readonly<Record<string, (socket: Socket) => void>>;

/** Sends whoever comes to another address. */
const redirectTo =
  (location: string) =>
  (socket: Socket): void => {
    socket.end(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  };

/** A receiver that no one would want: it never answers, drips, floods, fails or resets. */
export function startHostileReceiver(manner: keyof typeof manners | { readonly redirectTo: string }): HostileReceiver {
  const behave = typeof manner === "string" ? manners[manner] : redirectTo(manner.redirectTo);
  const met = new WeakSet<Socket>();
  let connections = 0;
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open() {
        connections += 1;
      },
      data(socket) {
        if (met.has(socket)) return;
        met.add(socket);
        behave(socket);
      },
      error() {},
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    connections: () => connections,
    stop: () => server.stop(true),
  };
}
