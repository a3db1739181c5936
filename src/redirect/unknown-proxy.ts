interface Options {
  readonly baseUrl: string;
  readonly proxyHops: number;
  /** Called with the first request that gives it away. */
  readonly onFirst: () => void;
}

/**
 * Notices a proxy that the configuration does not know of: with an https base URL there must be one, and its header is
 * there, but no hop is trusted. All clients then share the proxy's address, and the limits per address with it.
 */
export class UnknownProxy {
  requests = 0;
  readonly #isPossible: boolean;
  readonly #onFirst: () => void;

  constructor({ baseUrl, proxyHops, onFirst }: Options) {
    this.#isPossible = proxyHops === 0 && baseUrl.startsWith("https:");
    this.#onFirst = onFirst;
  }

  look(headers: Pick<Headers, "get">): void {
    if (!this.#isPossible || headers.get("x-forwarded-for") === null) return;
    this.requests += 1;
    if (this.requests === 1) this.#onFirst();
  }
}
