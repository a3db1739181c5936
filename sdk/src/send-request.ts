import type { OperationRoute } from "./generated.ts";
import { KurzConnectionError, KurzError, readError } from "./kurz-error.ts";
import type { BuiltRequest } from "./request.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | null;
  readonly data: unknown;
}

interface Limits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

interface RawAnswer {
  readonly response: Response;
  readonly bytes: Uint8Array;
}

/** One attempt; the timeout covers everything up to the last byte of the response, or up to the first of a stream. */
async function fetchAnswer(
  fetch: Fetch,
  request: BuiltRequest,
  { timeoutMs, signal, isStream }: Limits & { readonly isStream: boolean },
): Promise<RawAnswer> {
  const { url, method, headers, body } = request;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, timeoutMs);
  let isOpen = false;
  try {
    // The API never redirects; following one could send the token elsewhere.
    const init: RequestInit = { method, headers, redirect: "error", signal: controller.signal };
    const response = await fetch(url, body === undefined ? init : { ...init, body });
    isOpen = isStream && response.ok;
    return { response, bytes: isOpen ? new Uint8Array() : new Uint8Array(await response.arrayBuffer()) };
  } catch (cause) {
    signal?.throwIfAborted();
    if (timedOut) throw new KurzConnectionError("timeout", `no response within ${timeoutMs} ms`, cause);
    throw new KurzConnectionError("network", "the service couldn't be reached", cause);
  } finally {
    clearTimeout(timer);
    // A stream can be aborted for as long as it is read.
    if (!isOpen) signal?.removeEventListener("abort", stop);
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** A deletion that finds nothing, after an attempt whose response was lost: what it should delete is gone. */
export function findDeleted({ method }: BuiltRequest, error: unknown): Answer | undefined {
  if (method !== "DELETE" || !(error instanceof KurzError) || !error.is("not_found")) return undefined;
  const { status, headers, requestId } = error;
  return { status, headers, requestId, data: undefined };
}

/** One attempt: returns the response, or throws if it isn't a success. */
export async function sendRequest(
  fetch: Fetch,
  request: BuiltRequest,
  { answer, textTypes, ...limits }: Limits & Pick<OperationRoute, "answer" | "textTypes">,
): Promise<Answer> {
  const { response, bytes } = await fetchAnswer(fetch, request, { ...limits, isStream: answer === "stream" });
  const { status, headers } = response;
  if (!response.ok) throw readError(status, headers, parseJson(bytes));
  const requestId = headers.get("X-Request-Id");
  if (answer === "none") return { status, headers, requestId, data: undefined };
  if (answer === "stream") return { status, headers, requestId, data: response.body };
  if (answer === "bytes") return { status, headers, requestId, data: bytes };
  const mediaType = headers.get("Content-Type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const data = textTypes.includes(mediaType) ? new TextDecoder().decode(bytes) : parseJson(bytes);
  if (data === undefined) throw readError(status, headers, data);
  return { status, headers, requestId, data };
}
