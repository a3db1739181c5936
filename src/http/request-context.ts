import { newId } from "#kernel/ids.ts";
import { CLIENT_HEADER, REQUEST_ID_HEADER } from "#kernel/internal-headers.ts";
import { STRICT_TRANSPORT_SECURITY } from "#kernel/transport-security.ts";
import { type CorsPolicy, corsHeaders } from "./cors.ts";

/** What is known about a request besides its input; used for its response and log line. */
export interface RequestContext {
  readonly requestId: string;
  readonly clientAddress: string;
  readonly startedMs: number;
  /** Whether the client wants the headers only. */
  readonly isHead: boolean;
  /** Headers of the response, whatever its outcome. */
  readonly headers: Record<string, string>;
  /** `Set-Cookie` values; a response may have several. */
  readonly cookies: string[];
  route: string | null;
  accountId: string | null;
  tokenId: string | null;
  /** Counts as so many more requests against the caller's rate limit, or refuses. */
  charge: ((cost: number) => Promise<void>) | null;
}

export interface ResponsePolicy {
  readonly cors: CorsPolicy;
  /** Whether the deployment uses https. */
  readonly https: boolean;
}

export function newRequestContext(request: Request, policy: ResponsePolicy): RequestContext {
  const requestId = request.headers.get(REQUEST_ID_HEADER) ?? newId("req");
  return {
    requestId,
    clientAddress: request.headers.get(CLIENT_HEADER) ?? "",
    startedMs: performance.now(),
    isHead: request.method === "HEAD",
    headers: defaultHeaders(request, requestId, policy),
    cookies: [],
    route: null,
    accountId: null,
    tokenId: null,
    charge: null,
  };
}

export const defaultHeaders = (
  request: Request,
  requestId: string,
  { cors, https }: ResponsePolicy,
): Record<string, string> => ({
  "x-request-id": requestId,
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  ...(https && { "strict-transport-security": STRICT_TRANSPORT_SECURITY }),
  ...corsHeaders(cors, request),
});
