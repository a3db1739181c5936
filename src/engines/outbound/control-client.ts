/** A request for another node of this deployment. */
export interface NodeRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: ArrayBuffer | null;
  readonly signal: AbortSignal;
}

/**
 * Asks a node at an address from the configuration. Not the guarded client: that one is for addresses that users choose.
 * Each request has a connection of its own, because one that the other side is about to close would lose a request.
 */
export const askNode = (origin: string, { method, target, headers, body, signal }: NodeRequest): Promise<Response> =>
  fetch(`${origin}${target}`, {
    method,
    headers,
    body,
    signal,
    redirect: "manual",
    decompress: false,
    keepalive: false,
  });
