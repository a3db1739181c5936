import type { ClientRequest, IncomingMessage } from "node:http";
import type { Attempt } from "./attempt.ts";
import type { OutboundResponse } from "./outbound-client.ts";

// The status decides the outcome; the body is only logged and must not delay the next call.
const BODY_WAIT_MS_MAX = 2000;

interface Reading {
  readonly outgoing: ClientRequest;
  readonly response: IncomingMessage;
  readonly readBytesMax: number;
}

/** Reads the beginning of the body; an error in the body doesn't change the outcome. */
export function readResponse(
  { outgoing, response, readBytesMax }: Reading,
  attempt: Attempt,
): Promise<OutboundResponse> {
  const { promise, resolve } = Promise.withResolvers<OutboundResponse>();
  const chunks: Uint8Array[] = [];
  let bytesLeft = readBytesMax;

  const finish = (): void => {
    clearTimeout(timer);
    attempt.signal.removeEventListener("abort", finish);
    resolve({
      status: response.statusCode ?? 0,
      retryAfter: response.headers["retry-after"] ?? null,
      body: Buffer.concat(chunks),
      durationMs: attempt.elapsedMs(),
    });
    outgoing.destroy();
  };
  const timer = setTimeout(finish, BODY_WAIT_MS_MAX);
  attempt.signal.addEventListener("abort", finish, { once: true });
  response.on("data", (chunk: Uint8Array) => {
    chunks.push(chunk.subarray(0, bytesLeft));
    bytesLeft -= Math.min(bytesLeft, chunk.byteLength);
    if (bytesLeft === 0) finish();
  });
  response.on("end", finish);
  response.on("error", finish);
  response.on("close", finish);
  return promise;
}
