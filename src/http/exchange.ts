import { newId } from "#kernel/ids.ts";
import { type CorsPolicy, corsHeaders } from "./cors.ts";

/** Set by the redirect process, which overwrites whatever a client sent under these names. */
export const CLIENT_HEADER = "x-kurz-client";
export const REQUEST_ID_HEADER = "x-kurz-request-id";

/** What is known of one request beside its input; its answer and its log line are made from it. */
export interface Exchange {
  readonly requestId: string;
  readonly clientAddress: string;
  readonly startedMs: number;
  /** Headers that the answer carries whatever its outcome. */
  readonly headers: Record<string, string>;
  route: string | null;
  accountId: string | null;
  tokenId: string | null;
}

export interface AnswerPolicy {
  readonly cors: CorsPolicy;
  /** The deployment speaks https. */
  readonly https: boolean;
}

export function openExchange(request: Request, { cors, https }: AnswerPolicy): Exchange {
  const requestId = request.headers.get(REQUEST_ID_HEADER) ?? newId("req");
  return {
    requestId,
    clientAddress: request.headers.get(CLIENT_HEADER) ?? "",
    startedMs: performance.now(),
    headers: {
      "x-request-id": requestId,
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      ...(https && { "strict-transport-security": "max-age=31536000" }),
      ...corsHeaders(cors, request),
    },
    route: null,
    accountId: null,
    tokenId: null,
  };
}
