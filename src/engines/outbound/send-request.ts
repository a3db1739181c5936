import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Attempt } from "./attempt.ts";
import { AllowanceExceeded, MeteredStream } from "./metered-stream.ts";
import { type Destination, openConnection } from "./open-connection.ts";
import type { OutboundProblem, OutboundQuestion, OutboundResponse } from "./outbound-client.ts";
import { readResponse } from "./read-response.ts";

// Total limit for headers, including interim responses and trailers.
const HEAD_BYTES_MAX = 16 * 1024;
const INTERIM_RESPONSES_MAX = 10;

interface Call extends Destination {
  readonly request: OutboundQuestion;
  /** With one it is a POST. */
  readonly body: Uint8Array | null;
  readonly bodyMsMax: number;
}

/** Sends the request to one of the addresses and reads the response. */
export async function sendRequest(call: Call, attempt: Attempt): Promise<OutboundResponse> {
  const { request, body, bodyMsMax, target } = call;
  const { readBytesMax } = request;
  const connection = new MeteredStream(await openConnection(call, attempt), HEAD_BYTES_MAX);
  const { promise, resolve, reject } = Promise.withResolvers<OutboundResponse>();
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
    resolve(readResponse({ outgoing, response, readBytesMax, bodyMsMax }, attempt));
  });
  outgoing.on("error", (error) => reject(attempt.failure(problemOf(error), error)));
  // An unrequested upgrade ends the request with neither a response nor an error.
  outgoing.on("close", () => reject(attempt.failure("protocol")));
  outgoing.end(body ?? undefined);
  return promise.finally(() => attempt.signal.removeEventListener("abort", abort));
}

const problemOf = (error: NodeJS.ErrnoException): OutboundProblem =>
  error instanceof AllowanceExceeded || error.code?.startsWith("HPE_") ? "protocol" : "reset";
