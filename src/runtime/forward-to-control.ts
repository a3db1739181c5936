import { askNode } from "#engines/outbound/control-client.ts";
import type { Clock } from "#kernel/clock.ts";
import { FORWARDED_HEADER, openFacts, sealFacts } from "#kernel/forwarded-facts.ts";
import { CLIENT_HEADER, REQUEST_ID_HEADER, UNREAD_BODY_HEADER } from "#kernel/internal-headers.ts";
import type { Answers } from "#redirect/answers.ts";
import { responseHeadersFrom } from "#redirect/pass-through-headers.ts";
import { isReadByPeople } from "#redirect/read-by-people.ts";
import { targetTextOf } from "#redirect/request-target.ts";

interface Options {
  /** The origin of nodes with the role `control`; `null` to refuse all requests. */
  readonly controlUrl: string | null;
  readonly secret: string;
  readonly clock: Clock;
  readonly answers: Answers;
  readonly onProblem: (message: string, error: unknown) => void;
}

// Less than the 30 s that the redirect process waits, so that the client is told what is wrong.
const HEAD_MS_MAX = 28_000;
const BUFFERED_BYTES_MAX = 256 * 1024;
const LOOP_DETECTED = 508;

/**
 * Answers requests for the API, the console and the docs on a node without the role `control`: another node does it, or
 * nobody. The redirect process has checked and limited them, as if they were for this node's own control.
 */
export function forwardToControl({ controlUrl, secret, clock, answers, onProblem }: Options) {
  /** Headers for the other node, whose own redirect process treats them like a client's. */
  const headersFor = (from: Headers): Headers => {
    const headers = new Headers(from);
    const take = (name: string): string | undefined => {
      const value = headers.get(name) ?? undefined;
      headers.delete(name);
      return value;
    };
    const facts = {
      clientAddress: take(CLIENT_HEADER) ?? "",
      requestId: take(REQUEST_ID_HEADER) ?? "",
      unreadBytes: take(UNREAD_BODY_HEADER),
      scheme: take("x-forwarded-proto"),
    };
    headers.delete("content-length");
    headers.set(FORWARDED_HEADER, sealFacts(secret, facts, clock()));
    return headers;
  };

  const ask = async (origin: string, request: Request): Promise<Response> => {
    const hasBody = request.method !== "GET" && request.method !== "HEAD";
    const body = hasBody ? await request.arrayBuffer() : null;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), HEAD_MS_MAX);
    try {
      return await askNode(origin, {
        method: request.method,
        target: targetTextOf(request.url),
        headers: headersFor(request.headers),
        body,
        signal: AbortSignal.any([request.signal, deadline.signal]),
      });
    } finally {
      clearTimeout(timer);
    }
  };

  return async (request: Request): Promise<Response> => {
    const requestId = request.headers.get(REQUEST_ID_HEADER) ?? "";
    const isPage = isReadByPeople(targetTextOf(request.url), request.headers);
    if (controlUrl === null) {
      const message = "This node serves short links only. Ask a node that serves the API.";
      return isPage
        ? answers.notFound(request)
        : answers.apiError(404, { code: "not_found", message, request_id: requestId });
    }
    const sealed = request.headers.get(FORWARDED_HEADER);
    if (sealed !== null) {
      // Anyone can send the header, but only a node that really forwards in a circle can sign it.
      if (openFacts(secret, sealed, clock()) !== undefined) {
        onProblem("KURZ_CONTROL_URL leads to a node that doesn't have the role control", controlUrl);
      }
      return answers.text(LOOP_DETECTED, "The request was forwarded in a circle.\n", requestId);
    }
    try {
      return await relay(await ask(controlUrl, request), requestId);
    } catch (error) {
      if (!request.signal.aborted) onProblem("no node with the role control answers at KURZ_CONTROL_URL", error);
      return isPage ? answers.unavailable(request) : answers.apiUnavailable(requestId);
    }
  };
}

async function relay(response: Response, requestId: string): Promise<Response> {
  const { status, statusText, body } = response;
  const headers = responseHeadersFrom(response.headers, requestId);
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  const isShort = body !== null && length <= BUFFERED_BYTES_MAX;
  return new Response(isShort ? await response.arrayBuffer() : body, { status, statusText, headers });
}
