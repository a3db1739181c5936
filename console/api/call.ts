import type { z } from "zod";
import type { Endpoint } from "#contract/endpoint.ts";
import type { AnyErrorCode } from "#contract/error-table.ts";
import type { FieldError } from "#contract/errors.ts";
import { errorTexts, type ServerError } from "#texts/errors.ts";
import { asChange, besideChanges } from "./beside-changes.ts";
import { ACCOUNT_HEADER, takePrefetched } from "./prefetched.ts";
import { isReachable } from "./reach.ts";

type Part<E, K extends "params" | "query" | "body"> =
  E extends Record<K, infer S extends z.ZodType> ? { readonly [P in K]: z.input<S> } : { readonly [P in K]?: never };

/** What an endpoint is sent, as its definition says. */
export type CallInput<E extends Endpoint> = Partial<Part<E, "query">> &
  Part<E, "params"> &
  (E extends { readonly bodyOptional: true } ? Partial<Part<E, "body">> : Part<E, "body">) & {
    readonly ifMatch?: number;
    readonly signal?: AbortSignal;
    /** The same for every try of one and the same thing; generated if it is left out. */
    readonly idempotencyKey?: string;
    /** Goes out even when the page is being left. */
    readonly keepalive?: boolean;
    /** Whether the response to the page's own request will do. */
    readonly mayBePrefetched?: boolean;
    readonly headers?: Readonly<Record<string, string>>;
  };

export type CallOutput<E extends Endpoint> = E extends { readonly response: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** An answer that is not a success, or no answer at all (`code` is then `offline`). */
export class CallError extends Error {
  readonly code: AnyErrorCode | "offline";
  readonly status: number;
  readonly requestId: string | null;
  readonly fieldErrors: readonly FieldError[];
  readonly retryAfterSeconds: number | null;

  constructor(code: CallError["code"], message: string, more: Partial<Omit<CallError, "code" | "message">> = {}) {
    super(message);
    this.code = code;
    this.status = more.status ?? 0;
    this.requestId = more.requestId ?? null;
    this.fieldErrors = more.fieldErrors ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }
}

/** `crypto.randomUUID` is missing where the console is served over plain http. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Calls an endpoint of the console, or one of the API as the signed-in person. */
export async function call<const E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  accountId: string | null,
): Promise<CallOutput<E>> {
  const response = await send(endpoint, input, accountId);
  if (response.status === 204) return undefined as CallOutput<E>;
  return (await response.json().catch(explainBreak)) as CallOutput<E>;
}

interface PlainInput {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly ifMatch?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly keepalive?: boolean | undefined;
  readonly mayBePrefetched?: boolean | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** For answers that are not JSON. */
export async function send<const E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  accountId: string | null,
): Promise<Response> {
  const {
    params,
    query,
    body,
    ifMatch,
    signal,
    idempotencyKey,
    keepalive = false,
    mayBePrefetched = false,
    headers,
  }: PlainInput = input;
  const request: RequestInit = {
    method: endpoint.method,
    credentials: "same-origin",
    keepalive,
    headers: {
      ...headers,
      ...(accountId !== null && { [ACCOUNT_HEADER]: accountId }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(ifMatch !== undefined && { "if-match": `"${ifMatch}"` }),
      ...(endpoint.idempotencyKey && { "idempotency-key": idempotencyKey ?? newIdempotencyKey() }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
  const url = urlOf(endpoint, params, query);
  const findPrefetched = () => (mayBePrefetched ? takePrefetched(url, accountId) : undefined);
  const ask = () => (findPrefetched() ?? fetch(url, request)).catch(explainBreak);
  const response = await (endpoint.method === "GET" ? besideChanges : asChange)(ask, isSignedOut);
  isReachable.set(true);
  if (!response.ok) throw await toCallError(response);
  return response;
}

/** As opposed to a wrong password, which is refused with the same status. */
async function isSignedOut(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  const { error }: Envelope = await response
    .clone()
    .json()
    .catch(() => ({}));
  return error?.code === "not_signed_in";
}

/** No answer, or half of one: not something that a person could read. A call that was given up is not told at all. */
function explainBreak(cause: unknown): never {
  if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
  isReachable.set(false);
  throw new CallError("offline", errorTexts.offline);
}

export function urlOf(endpoint: Endpoint, params: Readonly<Record<string, string>> = {}, query: object = {}): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) search.append(name, String(item));
    }
  }
  const text = search.toString();
  // The API's own endpoints answer the console under its prefix.
  return (path.startsWith("/api/") ? `/console${path}` : path) + (text === "" ? "" : `?${text}`);
}

interface Envelope {
  readonly error?: ServerError & { readonly request_id: string };
}

async function toCallError(response: Response): Promise<CallError> {
  const { error }: Envelope = await response.json().catch(() => ({}));
  const retryAfter = response.headers.get("retry-after");
  const message = error ? errorTexts.message(error) : errorTexts.noAnswer;
  return new CallError(error?.code ?? "unavailable", message, {
    status: response.status,
    requestId: error?.request_id ?? null,
    fieldErrors: (error?.details?.errors ?? []).map((one) => ({ ...one, message: errorTexts.field(one) })),
    retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
  });
}
