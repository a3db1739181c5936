import type { Connection } from "./connection.ts";
import { chooseToShed } from "./shedding.ts";

export interface OpenConnectionsOptions {
  readonly tickMs: number;
  /** How many file descriptors all connections may use, including the connections that requests are passed on to. */
  readonly descriptorsMax: () => number;
  /** File descriptors used by connections to control. */
  readonly descriptorsOfCalls: () => number;
  readonly onTick: () => void;
  /** Called with the number of connections that were closed to make room for others. */
  readonly onShed: (count: number) => void;
}

/** Both ends of the connection to the HTTP server, and the connection from there to control. */
const DESCRIPTORS_PER_RELAY = 3;
/** The fraction that is shed at a time: choosing them means looking at every connection. */
const SHED_PART = 1 / 16;

/** All client connections: drives their timeouts, limits their file descriptors and closes them on shutdown. */
export class OpenConnections {
  readonly #options: OpenConnectionsOptions;
  readonly #connections = new Set<Connection>();
  readonly #left = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  readonly #timer: ReturnType<typeof setInterval>;
  #tunnels = 0;
  #relays = 0;
  #isLeaving = false;
  /** None could be shed since the last tick. */
  #areAllBusy = false;

  constructor(options: OpenConnectionsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      this.#areAllBusy = false;
      options.onTick();
      for (const connection of this.#connections) connection.tick();
      // The limit may have been lowered, and once descriptors run out, no new connection arrives to trigger this.
      this.#makeRoom(0);
    }, options.tickMs);
  }

  /** Fulfilled when the last connection is closed after `leave`. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** If there is no room and no other connection can be shed, the new one is closed. */
  add(connection: Connection): void {
    this.#connections.add(connection);
    if (!this.#makeRoom(0)) connection.terminate();
  }

  /** Whether there are file descriptors for one more connection to the HTTP server. */
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
    this.#resolveWhenGone();
  }

  onClose(connection: Connection): void {
    this.#connections.delete(connection);
    if (connection.isTunnel) this.#tunnels -= 1;
    this.#resolveWhenGone();
  }

  /** Closes connections that are idle after some time; fulfilled when only tunnels are left. */
  async leave(patienceMs: number): Promise<void> {
    this.#isLeaving = true;
    this.#resolveWhenGone();
    if (patienceMs > 0) await Promise.race([this.closed, Bun.sleep(patienceMs)]);
    for (const connection of this.#connections) connection.leave();
    this.#resolveWhenGone();
    return this.#left.promise;
  }

  terminate(): void {
    for (const connection of this.#connections) connection.terminate();
  }

  /** Sheds connections before the kernel runs out of file descriptors for new ones. */
  #makeRoom(descriptors: number): boolean {
    const missing = this.#descriptors + descriptors - this.#options.descriptorsMax();
    if (missing <= 0) return true;
    if (this.#areAllBusy) return false;
    const countMax = Math.max(missing, Math.ceil(this.#connections.size * SHED_PART));
    const shed = chooseToShed(this.#connections, countMax);
    this.#areAllBusy = shed.length === 0;
    for (const connection of shed) connection.shed();
    if (shed.length > 0) this.#options.onShed(shed.length);
    return this.#descriptors + descriptors <= this.#options.descriptorsMax();
  }

  get #descriptors(): number {
    return this.#connections.size + this.#relays * DESCRIPTORS_PER_RELAY + this.#options.descriptorsOfCalls();
  }

  #resolveWhenGone(): void {
    if (!this.#isLeaving) return;
    if (this.#connections.size === this.#tunnels) this.#left.resolve();
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    this.#closed.resolve();
  }
}
