import type { Endpoint, Input, Output } from "#contract/endpoint.ts";
import type { FieldError } from "#contract/errors.ts";
import type { Caller } from "#kernel/caller.ts";
import type { IfMatch } from "#kernel/precondition.ts";
import { measureOnlyTyped } from "./typed-lengths.ts";

/** Identifies a retry of the same request; `null` where the client sent no key. */
export interface IdempotencyKey {
  readonly operation: string;
  readonly key: string;
  readonly fingerprint: string;
}

/** The stored answer of an earlier request with the same key, as it was sent then. */
export class Replayed {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** An answer in one of the endpoint's `streams`. */
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
  | (E extends { readonly streams: readonly string[] } ? Streamed : never);

/** `C` is what a handler knows of who is calling: see `Admit`. */
export interface Route<C = Caller> {
  readonly endpoint: Endpoint;
  readonly handle: (caller: C, input: never) => Promise<unknown>;
  /** Rules for single fields that the contract cannot hold, checked beside it so that one answer lists all problems. */
  readonly checkBody?: (body: Readonly<Record<string, unknown>>) => readonly FieldError[];
  /** Rules that the handler holds parameters to. Asked where some are wrong by the contract, with the others. */
  readonly checkQuery?: (query: never) => readonly FieldError[];
}

interface Checks<E> extends Pick<Route, "checkBody"> {
  readonly checkQuery?: (query: Input<E> extends { readonly query: infer Q } ? Q : never) => readonly FieldError[];
}

/** Binds a handler to its endpoint; the compiler checks what goes in and what comes out. */
export const route = <E extends Endpoint, C = Caller>(
  endpoint: E,
  handle: (caller: C, input: HandlerInput<E>) => Promise<HandlerOutput<E>>,
  checks: Checks<E> = {},
): Route<C> => {
  if (endpoint.body) measureOnlyTyped(endpoint.body);
  return { endpoint, handle, ...checks };
};
