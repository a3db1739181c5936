import type { ClientRequest, IncomingMessage } from "node:http";
import type { Attempt } from "./attempt.ts";
import type { OutboundAnswer } from "./outbound-client.ts";

// The head says how it went; the body is for the log only and must not hold up the next call.
const BODY_WAIT_MS_MAX = 2000;

interface Reading {
  readonly outgoing: ClientRequest;
  readonly answer: IncomingMessage;
  readonly readBytesMax: number;
}

/** Reads the beginning of the body; whatever happens to the rest of it, the answer stands. */
export function readAnswer({ outgoing, answer, readBytesMax }: Reading, attempt: Attempt): Promise<OutboundAnswer> {
  const { promise, resolve } = Promise.withResolvers<OutboundAnswer>();
  const chunks: Uint8Array[] = [];
  let bytesLeft = readBytesMax;

  const finish = (): void => {
    clearTimeout(timer);
    attempt.signal.removeEventListener("abort", finish);
    resolve({
      status: answer.statusCode ?? 0,
      retryAfter: answer.headers["retry-after"] ?? null,
      body: Buffer.concat(chunks),
      durationMs: attempt.elapsedMs(),
    });
    outgoing.destroy();
  };
  const timer = setTimeout(finish, BODY_WAIT_MS_MAX);
  attempt.signal.addEventListener("abort", finish, { once: true });
  answer.on("data", (chunk: Uint8Array) => {
    chunks.push(chunk.subarray(0, bytesLeft));
    bytesLeft -= Math.min(bytesLeft, chunk.byteLength);
    if (bytesLeft === 0) finish();
  });
  answer.on("end", finish);
  answer.on("error", finish);
  answer.on("close", finish);
  return promise;
}
