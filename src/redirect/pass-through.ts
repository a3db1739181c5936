import type { Server } from "bun";
import type { Answers } from "./answers.ts";
import { LargeBody, mayBeLarge } from "./large-body.ts";
import { type PassedFacts, responseHeadersFrom } from "./pass-through-headers.ts";

export interface PassThroughOptions {
  /** Where requests go. */
  readonly socketPath: string;
  readonly headersFor: (from: Headers, facts: PassedFacts) => Headers;
  readonly answers: Answers;
  /** Requests that may wait for control at a time; the next ones are refused, so that redirects keep their share. */
  readonly inFlightMax?: number;
  /** Event streams that may be open at a time. */
  readonly streamsMax?: number;
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

const IN_FLIGHT_MAX = 1024;
// Bun's client runs 256 requests at a time and queues the rest: endless ones must leave room for the others.
const STREAMS_MAX = 128;
const UNKNOWN_METHOD = "PROPFIND";
const HEAD_TIMEOUT_MS = 30_000;
// Longer than control waits for a body, so that its answer can still arrive.
const UPLOAD_IDLE_SECONDS = 20;
const DOWNLOAD_IDLE_SECONDS = 60;
const SMALL_BODY_BYTES = 64 * 1024;
const BUFFERED_BYTES_MAX = 256 * 1024;

/** Hands requests to control over its unix socket and brings back what it answers. */
export class PassThrough {
  readonly #options: Required<PassThroughOptions>;
  #inFlight = 0;
  #streams = 0;
  readonly #openStreams = new Set<WatchedStream>();
  /** How often control could not be asked. */
  refusals = 0;

  constructor(options: PassThroughOptions) {
    this.#options = {
      inFlightMax: IN_FLIGHT_MAX,
      streamsMax: STREAMS_MAX,
      headTimeoutMs: HEAD_TIMEOUT_MS,
      ...options,
    };
  }

  async pass(passed: PassedRequest): Promise<Response> {
    if (this.#inFlight >= this.#options.inFlightMax) return this.#refuse(passed);
    this.#inFlight += 1;
    const release = once(() => {
      this.#inFlight -= 1;
    });
    try {
      const { request } = passed;
      const large = request.body && mayBeLarge(request) ? new LargeBody(request.body) : null;
      const response = await this.#ask(passed, large);
      await large?.drain();
      return await this.#relay(response, passed, release);
    } catch {
      release();
      return this.#refuse(passed);
    }
  }

  async #ask(passed: PassedRequest, large: LargeBody | null): Promise<Response> {
    const { request, server, target, clientAddress, requestId } = passed;
    const { socketPath, headersFor, headTimeoutMs } = this.#options;
    const body = large?.stream ?? request.body;
    // `fetch` drops the body of an answer to TRACE; every method that does not exist is answered alike.
    const method = request.method === "TRACE" ? UNKNOWN_METHOD : request.method;
    const headers = headersFor(request.headers, { clientAddress, requestId, hasBody: body !== null });
    if (large) headers.delete("content-length");
    // Without a body the wait has its own limit below, and the idle time must not cut a slow answer off without a word.
    server.timeout(request, body ? UPLOAD_IDLE_SECONDS : 0);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), headTimeoutMs);
    try {
      return await fetch(`http://localhost${target}`, {
        unix: socketPath,
        method,
        headers,
        body,
        redirect: "manual",
        decompress: false,
        signal: AbortSignal.any([request.signal, deadline.signal]),
      });
    } finally {
      clearTimeout(timer);
    }
  }

  async #relay(response: Response, passed: PassedRequest, release: () => void): Promise<Response> {
    const { request, server, requestId } = passed;
    const headers = responseHeadersFrom(response.headers, requestId);
    if (this.#options.answers.isDraining || isUnreadBody(request, response)) headers.set("connection", "close");
    const answer = (body: ArrayBuffer | ReadableStream | null): Response =>
      new Response(body, { status: response.status, statusText: response.statusText, headers });

    if (response.headers.get("content-type")?.startsWith("text/event-stream") && response.body) {
      release();
      server.timeout(request, 0);
      return this.#openStream(response.body, passed, answer);
    }
    server.timeout(request, DOWNLOAD_IDLE_SECONDS);
    const length = Number(response.headers.get("content-length") ?? Number.NaN);
    if (!response.body || length <= BUFFERED_BYTES_MAX) {
      const body = response.body ? await response.arrayBuffer() : null;
      release();
      return answer(body);
    }
    return answer(watchEnd(response.body, release).body);
  }

  #openStream(
    body: ReadableStream<Uint8Array>,
    passed: PassedRequest,
    answer: (body: ReadableStream) => Response,
  ): Response {
    if (this.#streams >= this.#options.streamsMax) {
      body.cancel().catch(ignore);
      return this.#refuse(passed);
    }
    this.#streams += 1;
    const stream = watchEnd(
      body,
      once(() => {
        this.#streams -= 1;
        this.#openStreams.delete(stream);
      }),
    );
    this.#openStreams.add(stream);
    return answer(stream.body);
  }

  /** Event streams have no end of their own, and a server that stops would wait for it. */
  endStreams(): void {
    for (const stream of [...this.#openStreams]) stream.end();
  }

  #refuse({ request, target, requestId }: PassedRequest): Response {
    const { answers } = this.#options;
    if (!request.signal.aborted) this.refusals += 1;
    return /^\/api(?:[/?]|$)/.test(target) ? answers.apiUnavailable(requestId) : answers.unavailable(request);
  }
}

/** A stream that nobody wants any more may fail to end well. */
const ignore = (): void => {};

/** A refused upload that may still be under way: nobody will read the rest of it. */
function isUnreadBody({ body, headers }: Request, { status }: Response): boolean {
  if (status < 400 || body === null) return false;
  return !(Number(headers.get("content-length") ?? Number.NaN) <= SMALL_BODY_BYTES);
}

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

/** The same bytes, with a call when they have ended, failed or are no longer wanted. */
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
    // The read under way then ends as if the other side had closed.
    end: () => void reader.cancel().catch(ignore),
  };
}
