import type { Origin, Peer } from "../origins.ts";
import { LOOPBACK } from "./loopback.ts";

interface Client {
  readonly origin: Origin;
  /** When the fast lane closed the connection. */
  leftAt?: number;
}

/** The server reads what was sent before the close within an iteration or two; later the port may be reused. */
const REMEMBERED_MS = 1000;

/**
 * Client addresses of connections that were handed over, by the local port that this process opened them from. While
 * such a connection is open, its port can't be used by another, so no client can impersonate another.
 */
export class PeerAddresses {
  readonly #clients = new Map<number, Client>();
  /** In the order they were closed. */
  readonly #left = new Map<number, Client>();

  set(port: number, origin: Origin): void {
    this.#left.delete(port);
    this.#clients.set(port, { origin });
  }

  /** The fast lane closed the connection, possibly before its request was read. */
  leave(port: number): void {
    this.#forgetOld();
    const client = this.#clients.get(port);
    if (client === undefined) return;
    client.leftAt = performance.now();
    this.#left.set(port, client);
  }

  /** Returns nothing for a peer that isn't the fast lane. */
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
