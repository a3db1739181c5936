import type { Socket, SocketHandler } from "bun";
import { SocketWriter } from "./socket-writer.ts";

export interface ControlCaller {
  /** Bytes of the answer, or what control sends without being asked. */
  onControlData(bytes: Buffer): void;
  /** Control has gone, or was not there. */
  onControlEnd(error?: unknown): void;
}

// More than are ever busy at once in ordinary times; each costs a file descriptor on both sides.
const IDLE_MAX = 32;

/** Connections to control's socket, which are kept: to make one costs more than a request. */
export class ControlPool {
  readonly #socketPath: string;
  readonly #idle: ControlConnection[] = [];
  #isClosed = false;
  /** Of all connections, busy ones and idle ones. */
  size = 0;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** A connection that is the caller's alone until it is given back or dropped. */
  take(caller: ControlCaller): ControlConnection {
    const connection = this.#idle.pop() ?? this.#open();
    connection.caller = caller;
    return connection;
  }

  /** Only where the last answer is complete. */
  giveBack(connection: ControlConnection): void {
    connection.caller = undefined;
    if (this.#isClosed || this.#idle.length >= IDLE_MAX) connection.drop();
    else this.#idle.push(connection);
  }

  #open(): ControlConnection {
    this.size += 1;
    return new ControlConnection(this.#socketPath, this);
  }

  /** It has ended. */
  forget(connection: ControlConnection): void {
    this.size -= 1;
    const index = this.#idle.indexOf(connection);
    if (index !== -1) this.#idle.splice(index, 1);
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#idle.splice(0)) connection.drop();
  }
}

export class ControlConnection {
  readonly #pool: ControlPool;
  readonly #writer = new SocketWriter<ControlConnection>();
  #socket: Socket<ControlConnection> | undefined;
  #hasEnded = false;
  caller: ControlCaller | undefined;

  constructor(socketPath: string, pool: ControlPool) {
    this.#pool = pool;
    Bun.connect({ unix: socketPath, data: this, socket: handlers }).catch((error: unknown) => this.onEnd(error));
  }

  send(bytes: Buffer): void {
    this.#writer.write(bytes);
  }

  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  /** Control then stops working on the answer. */
  drop(): void {
    this.caller = undefined;
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#pool.forget(this);
    this.#socket?.terminate();
  }

  onOpen(socket: Socket<ControlConnection>): void {
    if (this.#hasEnded) {
      socket.terminate();
      return;
    }
    this.#socket = socket;
    this.#writer.attach(socket);
  }

  onData(bytes: Buffer): void {
    if (this.caller !== undefined) this.caller.onControlData(bytes);
    // Nobody has asked for it.
    else this.drop();
  }

  onDrain(): void {
    this.#writer.drain();
  }

  onEnd(error?: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#pool.forget(this);
    const { caller } = this;
    this.caller = undefined;
    caller?.onControlEnd(error);
  }
}

const handlers: SocketHandler<ControlConnection> = {
  open: (socket) => socket.data.onOpen(socket),
  data: (socket, bytes) => socket.data.onData(bytes),
  drain: (socket) => socket.data.onDrain(),
  end: (socket) => void socket.end(),
  close: (socket) => socket.data.onEnd(),
  error(socket, error) {
    socket.data.onEnd(error);
    socket.terminate();
  },
};
