import type { Server } from "bun";

/** The other end of a connection. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

/** Where a request came from. */
export interface Origin {
  readonly address: string;
  /** Whether its connection is closed after the answer in any case. */
  readonly isLast: boolean;
}

/** Where requests came from, asked when they arrive: of a client that has left since nothing could be told any more. */
export class Origins {
  readonly #originOf: (peer: Peer | null) => Origin | undefined;
  readonly #addresses = new WeakMap<Request, string>();

  /** `originOf` knows nothing of a peer whose requests are not to be answered. */
  constructor(originOf: (peer: Peer | null) => Origin | undefined) {
    this.#originOf = originOf;
  }

  note(request: Request, server: Server<undefined>): Origin | undefined {
    const origin = this.#originOf(server.requestIP(request));
    if (origin !== undefined) this.#addresses.set(request, origin.address);
    return origin;
  }

  /** The address at the other end of the connection. */
  addressOf(request: Request): string {
    const address = this.#addresses.get(request);
    if (address === undefined) throw new Error("the request was not noted when it arrived");
    return address;
  }
}
