interface Options {
  readonly baseUrl: string;
  readonly proxyHops: number;
  /** Called for the first request that came through such a proxy. */
  readonly onFirst: () => void;
}

/**
 * Detects a proxy that isn't configured: the base URL is https, so there must be one, and requests have its header, but
 * no hop is trusted. All clients then share the proxy's address and its rate limits.
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
