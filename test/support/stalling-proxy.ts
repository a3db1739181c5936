import type { Socket } from "bun";

export interface StallingProxy {
  readonly port: number;
  /** From now on no byte gets through, in either direction, and no connection is closed. */
  stall(): void;
  resume(): void;
  /** Delays whatever the server sends by this much. */
  delayAnswers(ms: number): void;
  readonly connections: number;
  /** How often the server answered something that was asked after its last answer, on any connection. */
  readonly roundTrips: number;
  stop(): void;
}

interface Side {
  other: Socket<Side> | null;
  readonly isServer: boolean;
  /** Whether the client has sent something since the server's last answer. */
  isAsked?: boolean;
  queue: Uint8Array[];
}

/** Passes bytes on to a port of this machine, until told otherwise: the network between a node and its server. */
export function startStallingProxy(targetPort: number): StallingProxy {
  const sides = new Set<Socket<Side>>();
  let isStalled = false;
  let delayMs = 0;
  let roundTrips = 0;

  const flush = (socket: Socket<Side>): void => {
    const { other, queue } = socket.data;
    if (isStalled || !other) return;
    for (let next = queue[0]; next; next = queue[0]) {
      const written = Math.max(0, other.write(next));
      if (written < next.length) {
        queue[0] = next.subarray(written);
        return;
      }
      queue.shift();
    }
  };

  const handlers = {
    data(socket: Socket<Side>, chunk: Uint8Array): void {
      const { isServer, other } = socket.data;
      if (!isServer) socket.data.isAsked = true;
      else if (other?.data.isAsked) {
        other.data.isAsked = false;
        roundTrips += 1;
      }
      socket.data.queue.push(new Uint8Array(chunk));
      if (isServer && delayMs > 0) setTimeout(() => flush(socket), delayMs);
      else flush(socket);
    },
    drain(socket: Socket<Side>): void {
      if (socket.data.other) flush(socket.data.other);
    },
    close(socket: Socket<Side>): void {
      sides.delete(socket);
      socket.data.other?.terminate();
    },
    error(socket: Socket<Side>): void {
      socket.terminate();
    },
  };

  const listener = Bun.listen<Side>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      ...handlers,
      open(socket) {
        socket.data = { other: null, isServer: false, queue: [] };
        sides.add(socket);
        Bun.connect<Side>({
          hostname: "127.0.0.1",
          port: targetPort,
          data: { other: socket, isServer: true, queue: [] },
          socket: {
            ...handlers,
            open(server) {
              sides.add(server);
              socket.data.other = server;
              flush(socket);
            },
          },
        }).catch(() => socket.terminate());
      },
    },
  });

  return {
    port: listener.port,
    stall() {
      isStalled = true;
    },
    resume() {
      isStalled = false;
      for (const side of sides) flush(side);
    },
    delayAnswers(ms) {
      delayMs = ms;
    },
    get roundTrips() {
      return roundTrips;
    },
    get connections() {
      return sides.size / 2;
    },
    stop() {
      listener.stop(true);
      for (const side of sides) side.terminate();
    },
  };
}
