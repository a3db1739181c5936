import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Attempt } from "./attempt.ts";
import { AllowanceExceeded, MeteredStream } from "./metered-stream.ts";
import { type Destination, openConnection } from "./open-connection.ts";
import type { OutboundAnswer, OutboundProblem, OutboundRequest } from "./outbound-client.ts";
import { readAnswer } from "./read-answer.ts";

// For all heads together, interim ones and trailers included.
const HEAD_BYTES_MAX = 16 * 1024;
const INTERIM_ANSWERS_MAX = 10;

interface Exchange extends Destination {
  readonly request: OutboundRequest;
}

/** Sends the request to one of the addresses and reads the answer. */
export async function exchange(parts: Exchange, attempt: Attempt): Promise<OutboundAnswer> {
  const { request, target } = parts;
  const connection = new MeteredStream(await openConnection(parts, attempt), HEAD_BYTES_MAX);
  const { promise, resolve, reject } = Promise.withResolvers<OutboundAnswer>();
  const outgoing = httpRequest({
    method: "POST",
    path: target.path,
    headers: { ...request.headers, Host: target.host, "Content-Length": request.body.byteLength },
    // No agent: the connection is this request's own and is not kept.
    createConnection: () => connection,
    maxHeaderSize: HEAD_BYTES_MAX,
  });

  const abort = (): void => {
    reject(attempt.signal.reason);
    outgoing.destroy();
  };
  if (attempt.signal.aborted) abort();
  else attempt.signal.addEventListener("abort", abort, { once: true });

  let interimAnswers = 0;
  outgoing.on("information", () => {
    interimAnswers += 1;
    if (interimAnswers <= INTERIM_ANSWERS_MAX) return;
    reject(attempt.failure("protocol"));
    outgoing.destroy();
  });
  outgoing.on("response", (answer: IncomingMessage) => {
    attempt.signal.removeEventListener("abort", abort);
    // Chunks of one byte, their extensions and trailers cost no more than a body that comes whole.
    connection.allow(2 * request.readBytesMax + HEAD_BYTES_MAX);
    resolve(readAnswer({ outgoing, answer, readBytesMax: request.readBytesMax }, attempt));
  });
  outgoing.on("error", (error) => reject(attempt.failure(problemOf(error), error)));
  // An upgrade that nobody asked for ends the request with neither an answer nor an error.
  outgoing.on("close", () => reject(attempt.failure("protocol")));
  outgoing.end(request.body);
  return promise.finally(() => attempt.signal.removeEventListener("abort", abort));
}

const problemOf = (error: NodeJS.ErrnoException): OutboundProblem =>
  error instanceof AllowanceExceeded || error.code?.startsWith("HPE_") ? "protocol" : "reset";
