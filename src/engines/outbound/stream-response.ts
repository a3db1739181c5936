import type { ClientRequest, IncomingMessage } from "node:http";
import { type OutboundDownload, OutboundError } from "./outbound-client.ts";

interface Streaming {
  readonly outgoing: ClientRequest;
  readonly response: IncomingMessage;
  readonly readBytesMax: number;
  readonly idleMsMax: number;
  readonly signal: AbortSignal | undefined;
}

/** The body as it arrives, as slowly as the reader wants. What isn't read to its end is broken off. */
export function streamResponse(streaming: Streaming): OutboundDownload {
  const { response } = streaming;
  return { status: response.statusCode ?? 0, headers: response.headers, body: readBody(streaming) };
}

async function* readBody(streaming: Streaming): AsyncGenerator<Uint8Array> {
  const { outgoing, response, readBytesMax, idleMsMax, signal } = streaming;
  const startedAt = performance.now();
  const failure = (problem: "timeout" | "reset" | "protocol", cause?: unknown): OutboundError =>
    new OutboundError(problem, Math.round(performance.now() - startedAt), cause);
  let stopped: unknown = null;
  const stop = (reason: unknown): void => {
    stopped ??= reason;
    response.destroy();
    outgoing.destroy();
  };
  const abort = (): void => stop(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  let bytesLeft = readBytesMax;
  // Only while it waits for the other side: its reader may take its time.
  const wait = (): NodeJS.Timeout => setTimeout(() => stop(failure("timeout")), idleMsMax);
  let timer = wait();
  try {
    for await (const bytes of response as AsyncIterable<Uint8Array>) {
      clearTimeout(timer);
      bytesLeft -= bytes.byteLength;
      if (bytesLeft < 0) throw failure("protocol");
      yield bytes;
      timer = wait();
    }
    if (stopped !== null) throw stopped;
    if (!response.complete) throw failure("reset");
  } catch (error) {
    if (stopped !== null) throw stopped;
    throw error instanceof OutboundError ? error : failure("reset", error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    outgoing.destroy();
  }
}
