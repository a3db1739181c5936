import type { Origin, Peer } from "../origins.ts";
import { LOOPBACK } from "./loopback.ts";

interface Client {
  readonly origin: Origin;
  /** When the lane let go of the connection. */
  leftAt?: number;
}

/** What the lane has sent before it let go is read within a turn or two; soon after, the port may be somebody else's. */
const REMEMBERED_MS = 1000;

/**
 * Who is behind a connection that was handed over, by the port from which this process itself made it. While that
 * connection is open nobody else gets this port of this address, so nobody can pass for another client.
 */
export class PeerAddresses {
  readonly #clients = new Map<number, Client>();
  /** In the order in which they were left. */
  readonly #left = new Map<number, Client>();

  set(port: number, origin: Origin): void {
    this.#left.delete(port);
    this.#clients.set(port, { origin });
  }

  /** The lane has closed the connection, perhaps over a request that nobody has read yet. */
  leave(port: number): void {
    this.#forgetOld();
    const client = this.#clients.get(port);
    if (client === undefined) return;
    client.leftAt = performance.now();
    this.#left.set(port, client);
  }

  /** Of a peer behind which nobody is known there is none. */
  of(peer: Peer | null): Origin | undefined {
    this.#forgetOld();
    return peer?.address === LOOPBACK ? this.#clients.get(peer.port)?.origin : undefined;
  }

  #forgetOld(): void {
    for (const [port, { leftAt = 0 }] of this.#left) {
      if (performance.now() - leftAt < REMEMBERED_MS) return;
      this.#left.delete(port);
      this.#clients.delete(port);
    }
  }
}
