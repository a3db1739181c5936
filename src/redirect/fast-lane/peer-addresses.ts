import { LOOPBACK } from "./loopback.ts";

interface Peer {
  readonly address: string;
  readonly port: number;
}

/**
 * Who is behind a connection that was handed over, by the port from which this process itself made it. While that
 * connection is open nobody else gets this port of this address, so nobody can pass for another client.
 */
export class PeerAddresses {
  readonly #clients = new Map<number, string>();

  set(port: number, clientAddress: string): void {
    this.#clients.set(port, clientAddress);
  }

  delete(port: number): void {
    this.#clients.delete(port);
  }

  /** The address of the client, or of the peer itself where nobody is behind it. */
  of(peer: Peer | null): string {
    if (peer === null) return "";
    const client = peer.address === LOOPBACK ? this.#clients.get(peer.port) : undefined;
    return client ?? peer.address;
  }
}
