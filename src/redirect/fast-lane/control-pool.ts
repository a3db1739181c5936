import type { Socket, SocketHandler } from "bun";
import { SocketWriter } from "./socket-writer.ts";

export interface ControlCaller {
  /** Bytes that control sent; usually part of the answer. */
  onControlData(bytes: Buffer): void;
  /** The connection was closed or couldn't be opened. */
  onControlEnd(error?: unknown): void;
}

// More than are usually busy at once; each costs a file descriptor on both sides.
const IDLE_MAX = 32;

/** Connections to control's socket. They are reused: opening one costs more than a request. */
export class ControlPool {
  readonly #socketPath: string;
  readonly #idle: ControlConnection[] = [];
  #isClosed = false;
  /** Busy and idle connections. */
  size = 0;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** Returns a connection for this caller alone, until it is given back or dropped. */
  take(caller: ControlCaller): ControlConnection {
    const connection = this.#idle.pop() ?? this.#open();
    connection.caller = caller;
    return connection;
  }

  /** Call only after a complete answer. */
  giveBack(connection: ControlConnection): void {
    connection.caller = undefined;
    if (this.#isClosed || this.#idle.length >= IDLE_MAX) connection.drop();
    else this.#idle.push(connection);
  }

  #open(): ControlConnection {
    this.size += 1;
    return new ControlConnection(this.#socketPath, this);
  }

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

  /** Makes control stop working on the answer, too. */
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
    // There was no request.
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
