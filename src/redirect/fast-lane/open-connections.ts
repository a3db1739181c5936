import type { Connection } from "./connection.ts";

export interface OpenConnectionsOptions {
  readonly tickMs: number;
  /** How many file descriptors they may use together, all that they are handed over to included. */
  readonly descriptorsMax: () => number;
  /** Descriptors of connections to control. */
  readonly descriptorsOfCalls: () => number;
  readonly onTick: () => void;
  /** So many were closed to make room for others. */
  readonly onShed: (count: number) => void;
}

/** The connection to the HTTP server, its other end, and the one from there to control. */
const DESCRIPTORS_PER_RELAY = 3;
/** Of all connections at a time: to look for those that may go takes a look at each one. */
const SHED_PART = 1 / 16;

/** All connections of clients: tells them the time, and to leave. */
export class OpenConnections {
  readonly #options: OpenConnectionsOptions;
  readonly #connections = new Set<Connection>();
  readonly #left = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  readonly #timer: ReturnType<typeof setInterval>;
  #tunnels = 0;
  #relays = 0;
  #isLeaving = false;
  /** Nobody could be shed since the last tick. */
  #isEverybodyBusy = false;

  constructor(options: OpenConnectionsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      this.#isEverybodyBusy = false;
      options.onTick();
      for (const connection of this.#connections) connection.tick();
      // The limit may have been lowered, and without a descriptor nobody is let in who could ask for room.
      this.#makeRoom(0);
    }, options.tickMs);
  }

  /** Fulfilled when the last one is closed after `leave`. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Where there is no room and nobody can go, the new one has to. */
  add(connection: Connection): void {
    this.#connections.add(connection);
    if (!this.#makeRoom(0)) connection.terminate();
  }

  /** Whether there are descriptors for one more connection to the HTTP server. */
  hasRoomForRelay(): boolean {
    return this.#makeRoom(DESCRIPTORS_PER_RELAY);
  }

  onRelayOpen(): void {
    this.#relays += 1;
  }

  onRelayClose(): void {
    this.#relays -= 1;
  }

  onTunnel(): void {
    this.#tunnels += 1;
    this.#tellWhoIsLeft();
  }

  onClose(connection: Connection): void {
    this.#connections.delete(connection);
    if (connection.isTunnel) this.#tunnels -= 1;
    this.#tellWhoIsLeft();
  }

  /** Closes idle ones; fulfilled when only tunnels are left. */
  leave(): Promise<void> {
    this.#isLeaving = true;
    for (const connection of this.#connections) connection.leave();
    this.#tellWhoIsLeft();
    return this.#left.promise;
  }

  terminate(): void {
    for (const connection of this.#connections) connection.terminate();
  }

  /** Lets go of those that are least likely to be missed, before the kernel refuses descriptors to whoever comes next. */
  #makeRoom(descriptors: number): boolean {
    const missing = this.#descriptors + descriptors - this.#options.descriptorsMax();
    if (missing <= 0) return true;
    if (this.#isEverybodyBusy) return false;
    const candidates = [...this.#connections]
      .filter(({ dispensability }) => dispensability > 0)
      .sort((one, other) => other.dispensability - one.dispensability);
    this.#isEverybodyBusy = candidates.length === 0;
    const shed = candidates.slice(0, Math.max(missing, Math.ceil(this.#connections.size * SHED_PART)));
    for (const connection of shed) connection.shed();
    if (shed.length > 0) this.#options.onShed(shed.length);
    return this.#descriptors + descriptors <= this.#options.descriptorsMax();
  }

  get #descriptors(): number {
    return this.#connections.size + this.#relays * DESCRIPTORS_PER_RELAY + this.#options.descriptorsOfCalls();
  }

  #tellWhoIsLeft(): void {
    if (!this.#isLeaving) return;
    if (this.#connections.size === this.#tunnels) this.#left.resolve();
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    this.#closed.resolve();
  }
}
