import type { Connection } from "./connection.ts";

/** All connections of clients: tells them the time, and to leave. */
export class OpenConnections {
  readonly #connections = new Set<Connection>();
  readonly #left = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  readonly #timer: ReturnType<typeof setInterval>;
  #tunnels = 0;
  #isLeaving = false;

  constructor(tickMs: number) {
    this.#timer = setInterval(() => {
      for (const connection of this.#connections) connection.tick();
    }, tickMs);
  }

  /** Fulfilled when the last one is closed after `leave`. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  add(connection: Connection): void {
    this.#connections.add(connection);
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

  #tellWhoIsLeft(): void {
    if (!this.#isLeaving) return;
    if (this.#connections.size === this.#tunnels) this.#left.resolve();
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    this.#closed.resolve();
  }
}
