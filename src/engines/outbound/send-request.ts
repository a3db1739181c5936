import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import type { Attempt } from "./attempt.ts";
import { AllowanceExceeded, MeteredStream } from "./metered-stream.ts";
import { type Destination, openConnection } from "./open-connection.ts";
import type { OutboundProblem, OutboundQuestion } from "./outbound-client.ts";

// Total limit for headers, including interim responses and trailers.
const HEAD_BYTES_MAX = 16 * 1024;
const INTERIM_RESPONSES_MAX = 10;

export interface Arrived {
  readonly outgoing: ClientRequest;
  readonly response: IncomingMessage;
}

export interface Exchange<T> {
  /** With one it is a POST. */
  readonly body: Uint8Array | null;
  /** Called once the response headers are there. */
  readonly receive: (arrived: Arrived, attempt: Attempt) => T | Promise<T>;
}

interface Call<T> extends Destination, Exchange<T> {
  readonly request: OutboundQuestion;
}

/** Sends the request to one of the addresses and receives the response. */
export async function sendRequest<T>(call: Call<T>, attempt: Attempt): Promise<T> {
  const { request, body, receive, target } = call;
  const { readBytesMax } = request;
  const connection = new MeteredStream(await openConnection(call, attempt), HEAD_BYTES_MAX);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const outgoing = httpRequest({
    method: body ? "POST" : "GET",
    path: target.path,
    headers: { ...request.headers, Host: target.host, ...(body && { "Content-Length": body.byteLength }) },
    // No agent: the connection is used for this request only.
    createConnection: () => connection,
    maxHeaderSize: HEAD_BYTES_MAX,
  });

  const abort = (): void => {
    reject(attempt.signal.reason);
    outgoing.destroy();
  };
  if (attempt.signal.aborted) abort();
  else attempt.signal.addEventListener("abort", abort, { once: true });

  let interimResponses = 0;
  outgoing.on("information", () => {
    interimResponses += 1;
    if (interimResponses <= INTERIM_RESPONSES_MAX) return;
    reject(attempt.failure("protocol"));
    outgoing.destroy();
  });
  outgoing.on("response", (response: IncomingMessage) => {
    attempt.signal.removeEventListener("abort", abort);
    // Bounds chunked bodies too: one-byte chunks, extensions and trailers count toward the allowance.
    connection.allow(2 * readBytesMax + HEAD_BYTES_MAX);
    resolve(receive({ outgoing, response }, attempt));
  });
  outgoing.on("error", (error) => reject(attempt.failure(problemOf(error), error)));
  // An unrequested upgrade ends the request with neither a response nor an error.
  outgoing.on("close", () => reject(attempt.failure("protocol")));
  outgoing.end(body ?? undefined);
  return promise.finally(() => attempt.signal.removeEventListener("abort", abort));
}

const problemOf = (error: NodeJS.ErrnoException): OutboundProblem =>
  error instanceof AllowanceExceeded || error.code?.startsWith("HPE_") ? "protocol" : "reset";
