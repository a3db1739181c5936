import {
  type OutboundClient,
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
} from "#engines/outbound/outbound-client.ts";

/** Long enough for a busy machine. */
const TIMEOUT_MS = 60_000;
const BODY_MS_MAX = 2000;

export const outboundRequest = (url: string, over: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  headers: { "Content-Type": "application/json" },
  body: new TextEncoder().encode('{"emoji":"🔗"}'),
  timeoutMs: TIMEOUT_MS,
  bodyMsMax: BODY_MS_MAX,
  readBytesMax: 16 * 1024,
  ...over,
});

/** Posts and returns the answer or the error. */
export function tryPost(
  client: OutboundClient,
  url: string,
  over: Partial<OutboundRequest> = {},
): Promise<OutboundResponse | OutboundError> {
  return client.post(outboundRequest(url, over)).catch((error: unknown) => {
    if (error instanceof OutboundError) return error;
    throw error;
  });
}

/** A status, or the problem. */
export const outcomeOf = (result: OutboundResponse | OutboundError): number | string =>
  result instanceof OutboundError ? result.problem : result.status;
