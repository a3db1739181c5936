import type { Server } from "bun";
import { drainStream } from "#kernel/drain-stream.ts";
import { networkOf } from "#kernel/network-address.ts";
import type { Answers } from "./answers.ts";
import { bodyBytesMax, isApi } from "./body-limits.ts";
import type { ControlGate } from "./control-gate.ts";
import type { ControlShares } from "./control-shares.ts";
import { type PassedFacts, responseHeadersFrom } from "./pass-through-headers.ts";
import { isReadByPeople } from "./read-by-people.ts";
import { BodyReader, hasBody, type PassedBody, type RequestBody, statedLength } from "./request-body.ts";

export interface PassThroughOptions {
  /** Control's unix socket. */
  readonly socketPath: string;
  readonly headersFor: (from: Headers, facts: PassedFacts) => Headers;
  readonly answers: Answers;
  readonly shares: ControlShares;
  readonly gate?: Pick<ControlGate, "enter">;
  readonly headTimeoutMs?: number;
}

export interface PassedRequest {
  readonly request: Request;
  readonly server: Server<undefined>;
  /** Path and query. */
  readonly target: string;
  readonly clientAddress: string;
  readonly requestId: string;
}

const UNKNOWN_METHOD = "PROPFIND";
const HEAD_TIMEOUT_MS = 30_000;
// Longer than a body may take to arrive, so a slow sender still gets an error response.
const UPLOAD_IDLE_SECONDS = 100;
const DOWNLOAD_IDLE_SECONDS = 60;
const BUFFERED_BYTES_MAX = 256 * 1024;

/** Passes requests to control over its unix socket, and its answers back to the client. */
export class PassThrough {
  readonly #options: PassThroughOptions & Required<Pick<PassThroughOptions, "headTimeoutMs">>;
  readonly #bodies: BodyReader;
  readonly #openStreams = new Set<WatchedStream>();

  constructor(options: PassThroughOptions) {
    this.#options = { headTimeoutMs: HEAD_TIMEOUT_MS, ...options };
    this.#bodies = new BodyReader(options.shares.arriving);
  }

  async pass(passed: PassedRequest): Promise<Response> {
    const { places } = this.#options.shares;
    const party = networkOf(passed.clientAddress);
    const body = await this.#readBody(passed, party);
    if (body.kind === "late") return this.#options.answers.bodyLate(passed.requestId);
    if (body.kind === "refused") return closing(this.#refuse(passed));
    if (!places.take(party)) return body.kind === "unread" ? closing(this.#refuse(passed)) : this.#refuse(passed);
    const release = once(() => places.giveBack(party));
    try {
      const response = await this.#ask(passed, body);
      if (body.kind === "unread") await drainBody(passed.request);
      return await this.#relay(response, passed, { release, isLast: body.kind === "unread" });
    } catch {
      release();
      return this.#refuse(passed);
    }
  }

  /** A request takes a place only once its body has arrived completely. */
  #readBody({ request, server, target }: PassedRequest, party: string): Promise<RequestBody> {
    // The API checks the token first, so an answer to a request without one never depends on the body.
    if (isApi(target) && !request.headers.has("authorization") && hasBody(request)) {
      return Promise.resolve({ kind: "unread", length: statedLength(request.headers) });
    }
    server.timeout(request, UPLOAD_IDLE_SECONDS);
    return this.#bodies.read(request, party, bodyBytesMax(target));
  }

  async #ask(passed: PassedRequest, body: PassedBody): Promise<Response> {
    const { request, server, target, clientAddress, requestId } = passed;
    const { socketPath, headersFor, headTimeoutMs, gate } = this.#options;
    // `fetch` drops the body of an answer to TRACE; unknown methods all get the same answer.
    const method = request.method === "TRACE" ? UNKNOWN_METHOD : request.method;
    const unreadBytes = body.kind === "unread" ? body.length : undefined;
    const headers = headersFor(request.headers, { clientAddress, requestId, unreadBytes });
    // The wait has its own limit below; the idle timeout would close the connection without an answer.
    server.timeout(request, 0);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), headTimeoutMs);
    const signal = AbortSignal.any([request.signal, deadline.signal]);
    let arrive: (() => void) | undefined;
    try {
      arrive = await gate?.enter(signal);
      return await fetch(`http://localhost${target}`, {
        unix: socketPath,
        method,
        headers,
        body: body.kind === "whole" ? (body.bytes as Uint8Array<ArrayBuffer> | null) : null,
        redirect: "manual",
        decompress: false,
        signal,
      });
    } finally {
      arrive?.();
      clearTimeout(timer);
    }
  }

  async #relay(response: Response, passed: PassedRequest, { release, isLast }: Relayed): Promise<Response> {
    const { request, server, requestId } = passed;
    const headers = responseHeadersFrom(response.headers, requestId);
    if (this.#options.answers.isDraining || isLast) headers.set("connection", "close");
    const answer = (body: ArrayBuffer | ReadableStream | null): Response =>
      new Response(body, { status: response.status, statusText: response.statusText, headers });

    // The fast lane doesn't look for the end of an answer without a content length.
    const answerInChunks = (body: ReadableStream): Response => {
      headers.set("connection", "close");
      return answer(body);
    };
    if (response.headers.get("content-type")?.startsWith("text/event-stream") && response.body) {
      release();
      server.timeout(request, 0);
      return this.#openStream(response.body, passed, answerInChunks);
    }
    server.timeout(request, DOWNLOAD_IDLE_SECONDS);
    const length = Number(response.headers.get("content-length") ?? Number.NaN);
    if (!response.body || length <= BUFFERED_BYTES_MAX) {
      const body = response.body ? await response.arrayBuffer() : null;
      release();
      return answer(body);
    }
    return answerInChunks(watchEnd(response.body, release).body);
  }

  #openStream(
    body: ReadableStream<Uint8Array>,
    passed: PassedRequest,
    answer: (body: ReadableStream) => Response,
  ): Response {
    const { shares } = this.#options;
    if (!shares.takeStream()) {
      body.cancel().catch(ignore);
      return this.#refuse(passed);
    }
    const stream = watchEnd(
      body,
      once(() => {
        shares.giveStreamBack();
        this.#openStreams.delete(stream);
      }),
    );
    this.#openStreams.add(stream);
    return answer(stream.body);
  }

  /** Event streams never end by themselves, and would keep the server from stopping. */
  endStreams(): void {
    for (const stream of [...this.#openStreams]) stream.end();
  }

  #refuse({ request, target, requestId }: PassedRequest): Response {
    const { answers, shares } = this.#options;
    if (!request.signal.aborted) shares.refusals += 1;
    return isReadByPeople(target, request.headers) ? answers.unavailable(request) : answers.apiUnavailable(requestId);
  }
}

interface Relayed {
  /** Gives the request's place back. */
  readonly release: () => void;
  /** Part of the request is unread, so no other can follow on its connection. */
  readonly isLast: boolean;
}

/** For a request whose body is unread. */
function closing(response: Response): Response {
  response.headers.set("connection", "close");
  return response;
}

/** A client that sends its whole body before it reads anything would miss an earlier answer. */
const drainBody = async ({ body }: Request): Promise<void> => {
  if (body !== null) await drainStream(body.getReader());
};

/** Errors of a cancelled stream don't matter. */
const ignore = (): void => {};

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
}

interface WatchedStream {
  readonly body: ReadableStream<Uint8Array>;
  end(): void;
}

/** The same stream; calls `onEnd` when it ends, fails or is cancelled. */
function watchEnd(body: ReadableStream<Uint8Array>, onEnd: () => void): WatchedStream {
  const reader = body.getReader();
  return {
    body: new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        onEnd();
      },
      async cancel(reason) {
        onEnd();
        await reader.cancel(reason).catch(ignore);
      },
    }),
    // The pending read then ends as if control had closed the stream.
    end: () => void reader.cancel().catch(ignore),
  };
}
