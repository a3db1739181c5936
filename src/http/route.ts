import type { Endpoint, Input, Output } from "#contract/endpoint.ts";
import type { FieldError } from "#contract/errors.ts";
import type { Caller } from "#kernel/caller.ts";
import type { IfMatch } from "#kernel/precondition.ts";
import { limitLengthChecks } from "./length-checks.ts";

/** Identifies retries of the same request. */
export interface IdempotencyKey {
  readonly operation: string;
  readonly key: string;
  readonly fingerprint: string;
}

/** The stored response to an earlier request with the same key, byte for byte. */
export class Replayed {
  readonly json: string;
  /** If it is the endpoint's `otherStatus`. */
  readonly status: number | null;

  constructor(json: string, status: number | null = null) {
    this.json = json;
    this.status = status;
  }
}

/** A response with the endpoint's `otherStatus`. */
export class OtherStatus<T = unknown> {
  readonly status: 200;
  readonly value: T;

  constructor(status: 200, value: T) {
    this.status = status;
    this.value = value;
  }
}

/** A response in one of the endpoint's `streams` types. */
export class Streamed {
  readonly mediaType: string;
  readonly body: ReadableStream<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(mediaType: string, body: ReadableStream<Uint8Array>, headers: Readonly<Record<string, string>> = {}) {
    this.mediaType = mediaType;
    this.body = body;
    this.headers = headers;
  }
}

type HandlerInput<E> = Input<E> &
  (E extends { readonly ifMatch: true } ? { readonly ifMatch: IfMatch } : unknown) &
  (E extends { readonly idempotencyKey: true } ? { readonly idempotency: IdempotencyKey | null } : unknown);

type HandlerOutput<E> =
  | Output<E>
  | (E extends { readonly idempotencyKey: true } ? Replayed : never)
  | (E extends { readonly otherStatus: number } ? OtherStatus<Output<E>> : never)
  | (E extends { readonly streams: readonly string[] } ? Streamed : never)
  | (E extends { readonly ownProtocol: true } ? Response : never);

/** `C` is what a handler knows about the caller; see `Authorize`. */
export interface Route<C = Caller> {
  readonly endpoint: Endpoint;
  readonly handle: (caller: C, input: never) => Promise<unknown>;
  /** Field rules beyond the contract, checked along with it so one response lists all problems. */
  readonly checkBody?: (body: Readonly<Record<string, unknown>>) => readonly FieldError[];
  /** The handler's own parameter rules; if the contract rejects some parameters, the others are still checked. */
  readonly checkQuery?: (query: never) => readonly FieldError[];
  /** How many more requests it counts as against the rate limit. */
  readonly extraCost?: (body: never) => number;
}

interface Checks<E> extends Pick<Route, "checkBody"> {
  readonly checkQuery?: (query: Input<E> extends { readonly query: infer Q } ? Q : never) => readonly FieldError[];
  readonly extraCost?: (body: Input<E> extends { readonly body: infer B } ? B : never) => number;
}

/** Binds a handler to its endpoint; the compiler checks what goes in and what comes out. */
export const route = <E extends Endpoint, C = Caller>(
  endpoint: E,
  handle: (caller: C, input: HandlerInput<E>) => Promise<HandlerOutput<E>>,
  checks: Checks<E> = {},
): Route<C> => {
  if (endpoint.body) limitLengthChecks(endpoint.body);
  return { endpoint, handle, ...checks };
};
