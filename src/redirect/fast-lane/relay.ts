import type { Socket, SocketHandler } from "bun";
import { LOOPBACK } from "./loopback.ts";
import type { PeerAddresses } from "./peer-addresses.ts";
import { SocketWriter } from "./socket-writer.ts";

export interface RelayOptions {
  /** The loopback port of this process's HTTP server. */
  readonly port: number;
  readonly peers: PeerAddresses;
  readonly onError: (error: unknown) => void;
  /** Its file descriptors are free again. */
  readonly onClose: () => void;
}

export interface RelayClient {
  readonly address: string;
  onAnswer(bytes: Buffer): void;
  /** More can be sent. */
  onRelayDrain(): void;
  /** The server closed the connection, or it couldn't be opened. */
  onRelayEnd(): void;
}

/** A connection to this process's HTTP server on behalf of one client. */
export class Relay {
  readonly #options: RelayOptions;
  readonly #client: RelayClient;
  readonly #isLast: boolean;
  readonly #writer = new SocketWriter<Relay>();
  #socket: Socket<Relay> | undefined;
  #port = 0;
  #isPaused = false;
  #hasEnded = false;

  constructor(options: RelayOptions, client: RelayClient, isLast: boolean) {
    this.#options = options;
    this.#client = client;
    this.#isLast = isLast;
    // Not handled in `connectError`, which may be called before this constructor returns.
    Bun.connect({ hostname: LOOPBACK, port: options.port, allowHalfOpen: true, data: this, socket: handlers }).catch(
      (error: unknown) => {
        options.onClose();
        this.onError(error);
      },
    );
  }

  get isFull(): boolean {
    return this.#writer.isFull;
  }

  send(bytes: Buffer): void {
    this.#writer.write(bytes);
  }

  /** The client has stopped sending. */
  finish(): void {
    this.#writer.end();
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket?.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#socket?.resume();
  }

  /** The answer isn't needed any more. The server notices the end of a connection sooner than a reset. */
  drop(): void {
    this.#hasEnded = true;
    this.resume();
    this.#socket?.end();
  }

  onOpen(socket: Socket<Relay>): void {
    if (this.#hasEnded) {
      socket.terminate();
      return;
    }
    this.#socket = socket;
    this.#port = socket.localPort;
    this.#options.peers.set(this.#port, { address: this.#client.address, isLast: this.#isLast });
    this.#writer.attach(socket);
    if (!this.isFull) this.#client.onRelayDrain();
  }

  onData(bytes: Buffer): void {
    if (!this.#hasEnded) this.#client.onAnswer(bytes);
  }

  onDrain(): void {
    if (this.#writer.drain()) this.#client.onRelayDrain();
  }

  onError(error: unknown): void {
    this.#options.onError(error);
    this.#reportEnd();
  }

  onClose(): void {
    this.#options.peers.leave(this.#port);
    this.#options.onClose();
    this.#reportEnd();
  }

  #reportEnd(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#client.onRelayEnd();
  }
}

const handlers: SocketHandler<Relay> = {
  open: (socket) => socket.data.onOpen(socket),
  data: (socket, bytes) => socket.data.onData(bytes),
  drain: (socket) => socket.data.onDrain(),
  // The server closes both directions at once.
  end: (socket) => void socket.end(),
  close: (socket) => socket.data.onClose(),
  error(socket, error) {
    socket.data.onError(error);
    socket.terminate();
  },
};
