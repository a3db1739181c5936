import type { Server } from "bun";

/** The other end of a connection. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

/** From where requests came, asked when they arrive: of a client that has left since nothing could be told any more. */
export class SocketAddresses {
  readonly #addressOf: (peer: Peer | null) => string | undefined;
  readonly #addresses = new WeakMap<Request, string>();

  /** `addressOf` knows no address of a peer whose requests are not to be answered. */
  constructor(addressOf: (peer: Peer | null) => string | undefined) {
    this.#addressOf = addressOf;
  }

  /** Whether the request may be answered. */
  note(request: Request, server: Server<undefined>): boolean {
    const address = this.#addressOf(server.requestIP(request));
    if (address === undefined) return false;
    this.#addresses.set(request, address);
    return true;
  }

  of(request: Request): string {
    const address = this.#addresses.get(request);
    if (address === undefined) throw new Error("the request was not noted when it arrived");
    return address;
  }
}
