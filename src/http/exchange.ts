import { newId } from "#kernel/ids.ts";
import { CLIENT_HEADER, REQUEST_ID_HEADER } from "#kernel/internal-headers.ts";
import { STRICT_TRANSPORT_SECURITY } from "#kernel/transport-security.ts";
import { type CorsPolicy, corsHeaders } from "./cors.ts";

/** What is known of one request beside its input; its answer and its log line are made from it. */
export interface Exchange {
  readonly requestId: string;
  readonly clientAddress: string;
  readonly startedMs: number;
  /** Headers that the answer carries whatever its outcome. */
  readonly headers: Record<string, string>;
  /** Values of `Set-Cookie`, which may stand in an answer several times. */
  readonly cookies: string[];
  route: string | null;
  accountId: string | null;
  tokenId: string | null;
}

export interface AnswerPolicy {
  readonly cors: CorsPolicy;
  /** The deployment speaks https. */
  readonly https: boolean;
}

export function openExchange(request: Request, policy: AnswerPolicy): Exchange {
  const requestId = request.headers.get(REQUEST_ID_HEADER) ?? newId("req");
  return {
    requestId,
    clientAddress: request.headers.get(CLIENT_HEADER) ?? "",
    startedMs: performance.now(),
    headers: answerHeaders(request, requestId, policy),
    cookies: [],
    route: null,
    accountId: null,
    tokenId: null,
  };
}

export const answerHeaders = (
  request: Request,
  requestId: string,
  { cors, https }: AnswerPolicy,
): Record<string, string> => ({
  "x-request-id": requestId,
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  ...(https && { "strict-transport-security": STRICT_TRANSPORT_SECURITY }),
  ...corsHeaders(cors, request),
});
