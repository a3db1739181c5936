import type { z } from "zod";
import type { Sudo } from "./console/sudo.ts";
import type { ErrorCode } from "./errors.ts";
import type { Role } from "./roles.ts";
import type { Scope } from "./scopes.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** One operation as data; validation, OpenAPI, SDK and the test battery are derived from it. */
export interface Endpoint {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: "Identity" | "Links" | "Analytics" | "QR codes" | "Console";
  /** `null`: any valid token will do. */
  readonly scope: Scope | null;
  /** For the console's own operations: the least role that may call it. */
  readonly role?: Role;
  /** For the console's own operations: may be called without a session. */
  readonly open?: true;
  /** For the console: whether the password or a passkey must have been given some minutes ago at most. */
  readonly sudo?: Sudo;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** The body may be left out altogether, as in the four state actions. */
  readonly bodyOptional?: true;
  /** Where a body may be larger than others. */
  readonly bodyBytesMax?: number;
  readonly mediaTypes?: readonly string[];
  /** Fields of the record that this body may not carry; named apart from those that do not exist. */
  readonly readOnlyFields?: readonly string[];
  readonly idempotencyKey?: true;
  readonly ifMatch?: true;
  readonly status: 200 | 201 | 204;
  readonly response?: z.ZodType;
  /** Media types of an answer that is not JSON. It has a validator, so a client that holds it need not fetch it again. */
  readonly binary?: readonly string[];
  /** For answers that are sent piece by piece: their media types. A browser asks for them without headers of its own. */
  readonly streams?: readonly string[];
  /** Media types in which the answer can be had as text, instead of the JSON that `response` describes. */
  readonly textTypes?: readonly string[];
  /** The answer carries `ETag: "<version>"`, taken from the record's `version`. */
  readonly etag?: true;
  /** `Location` of the answer, with `{field}` filled in from the record. */
  readonly location?: string;
  /** The answer is a page: a `Link` header leads to the next one. */
  readonly paged?: true;
  /** What this operation can answer beyond what `errorsOf` derives from its parts. */
  readonly errors: readonly ErrorCode[];
  readonly examples?: { readonly body?: unknown; readonly response?: unknown };
}

/** Keeps the literal types, so that a handler sees exactly what its endpoint declares. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition;

type Part<E, K extends "params" | "query" | "body"> =
  E extends Record<K, infer S extends z.ZodType> ? { readonly [P in K]: z.output<S> } : unknown;

/** What a handler receives, after validation. */
export type Input<E> = Part<E, "params"> & Part<E, "query"> & Part<E, "body">;

interface TextFile<T extends string> {
  readonly mediaType: T;
  /** What the answer is called where it is saved: letters, digits, `_`, `-` and dots. */
  readonly fileName: string;
  readonly text: string;
}

/** An answer in one of the endpoint's `textTypes`. */
export class TextAnswer<T extends string = string> implements TextFile<T> {
  readonly mediaType: T;
  readonly fileName: string;
  readonly text: string;

  constructor({ mediaType, fileName, text }: TextFile<T>) {
    this.mediaType = mediaType;
    this.fileName = fileName;
    this.text = text;
  }
}

interface BinaryParts<T extends string> {
  readonly mediaType: T;
  /** What the `ETag` holds: never the same for other bytes. */
  readonly tag: string;
  /** Beside, or instead of, those that every answer has. */
  readonly headers: Readonly<Record<string, string>>;
  /** Called only when the client does not hold the bytes already. */
  readonly read: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** An answer in one of the endpoint's `binary` types. */
export class BinaryAnswer<T extends string = string> {
  readonly parts: BinaryParts<T>;

  constructor(parts: BinaryParts<T>) {
    this.parts = parts;
  }
}

type TextOutput<E> = E extends { readonly textTypes: readonly (infer T extends string)[] } ? TextAnswer<T> : never;

/** What a handler must return. */
export type Output<E> = E extends { readonly response: infer S extends z.ZodType }
  ? z.input<S> | TextOutput<E>
  : E extends { readonly binary: readonly (infer T extends string)[] }
    ? BinaryAnswer<T>
    : undefined;

const DEFAULT_MEDIA_TYPES = ["application/json"] as const;
export const mediaTypesOf = (endpoint: Endpoint): readonly string[] => endpoint.mediaTypes ?? DEFAULT_MEDIA_TYPES;

const everywhere: readonly ErrorCode[] = [
  "bad_request",
  "missing_token",
  "invalid_token",
  "token_expired",
  "token_revoked",
  "account_suspended",
  "plan_limit",
  "uri_too_long",
  "validation_failed",
  "rate_limited",
  "internal_error",
  "unavailable",
];

/** Every error that an operation can give, its own and those of the parts it is made of. */
export function errorsOf(endpoint: Endpoint): ReadonlySet<ErrorCode> {
  const codes = new Set<ErrorCode>([...everywhere, ...endpoint.errors]);
  if (endpoint.scope) codes.add("insufficient_scope");
  if (endpoint.params) codes.add("not_found");
  if (endpoint.ifMatch) codes.add("precondition_failed");
  if (endpoint.body) {
    for (const code of ["invalid_json", "payload_too_large", "unsupported_media_type"] as const) codes.add(code);
  }
  if (endpoint.idempotencyKey) {
    codes.add("invalid_idempotency_key").add("idempotency_in_progress").add("idempotency_key_reused");
  }
  return codes;
}
