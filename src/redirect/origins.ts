import type { Server } from "bun";

/** The other end of a connection. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

/** Where a request came from. */
export interface Origin {
  readonly address: string;
  /** Whether its connection is always closed after the answer. */
  readonly isLast: boolean;
}

/** Where requests came from. Noted on arrival: once a client disconnects, its address is gone. */
export class Origins {
  readonly #originOf: (peer: Peer | null) => Origin | undefined;
  readonly #addresses = new WeakMap<Request, string>();

  /** `originOf` returns nothing for a peer whose requests must not be answered. */
  constructor(originOf: (peer: Peer | null) => Origin | undefined) {
    this.#originOf = originOf;
  }

  note(request: Request, server: Server<undefined>): Origin | undefined {
    const origin = this.#originOf(server.requestIP(request));
    if (origin !== undefined) this.#addresses.set(request, origin.address);
    return origin;
  }

  /** The peer address of the connection. */
  addressOf(request: Request): string {
    const address = this.#addresses.get(request);
    if (address === undefined) throw new Error("the request was not noted when it arrived");
    return address;
  }
}
