import { FORWARDED_HEADER, type ForwardedFacts, openFacts } from "#kernel/forwarded-facts.ts";
import { CLIENT_HEADER, REQUEST_ID_HEADER, UNREAD_BODY_HEADER } from "#kernel/internal-headers.ts";

interface Options {
  /** The same on all nodes. */
  readonly secret: string;
  readonly clock: () => number;
  /** Called for a request that claims to be forwarded, but isn't by a node with the same secret. */
  readonly onForged: () => void;
}

/**
 * Reads what another node knows about a request that it has forwarded: otherwise all its clients would share that node's
 * address and limits. Without a valid signature the request is that of any client.
 */
export function forwardedRequests({ secret, clock, onForged }: Options): (request: Request) => Request {
  return (request) => {
    const sealed = request.headers.get(FORWARDED_HEADER);
    if (sealed === null) return request;
    const facts = openFacts(secret, sealed, clock());
    if (facts === undefined) onForged();
    return new Request(request, { headers: withFacts(request.headers, facts) });
  };
}

function withFacts(from: Headers, facts: ForwardedFacts | undefined): Headers {
  const headers = new Headers(from);
  headers.delete(FORWARDED_HEADER);
  if (facts === undefined) return headers;
  headers.set(CLIENT_HEADER, facts.clientAddress);
  headers.set(REQUEST_ID_HEADER, facts.requestId);
  if (facts.unreadBytes !== undefined) headers.set(UNREAD_BODY_HEADER, facts.unreadBytes);
  headers.delete("x-forwarded-proto");
  if (facts.scheme !== undefined) headers.set("x-forwarded-proto", facts.scheme);
  return headers;
}
