import type { ClientRequest, IncomingMessage } from "node:http";
import type { Attempt } from "./attempt.ts";
import type { OutboundResponse } from "./outbound-client.ts";

interface Reading {
  readonly outgoing: ClientRequest;
  readonly response: IncomingMessage;
  readonly readBytesMax: number;
  readonly bodyMsMax: number;
}

/** Reads the beginning of the body; an error in the body doesn't change the outcome. */
export function readResponse(
  { outgoing, response, readBytesMax, bodyMsMax }: Reading,
  attempt: Attempt,
): Promise<OutboundResponse> {
  const { promise, resolve } = Promise.withResolvers<OutboundResponse>();
  const chunks: Uint8Array[] = [];
  let bytesLeft = readBytesMax;
  let hasEnded = false;

  const finish = (): void => {
    clearTimeout(timer);
    attempt.signal.removeEventListener("abort", finish);
    resolve({
      status: response.statusCode ?? 0,
      headers: response.headers,
      retryAfter: response.headers["retry-after"] ?? null,
      body: Buffer.concat(chunks),
      isComplete: hasEnded,
      durationMs: attempt.elapsedMs(),
    });
    outgoing.destroy();
  };
  const timer = setTimeout(finish, bodyMsMax);
  attempt.signal.addEventListener("abort", finish, { once: true });
  response.on("data", (chunk: Uint8Array) => {
    chunks.push(chunk.subarray(0, bytesLeft));
    bytesLeft -= Math.min(bytesLeft, chunk.byteLength);
    if (bytesLeft === 0) finish();
  });
  response.on("end", () => {
    // Of a body that breaks off, some versions of Node emit "end", too.
    hasEnded = response.complete;
    finish();
  });
  response.on("error", finish);
  response.on("close", finish);
  return promise;
}
