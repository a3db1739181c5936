import type { z } from "zod";
import type { Sudo } from "./console/sudo.ts";
import type { ErrorCode } from "./errors.ts";
import type { Role } from "./roles.ts";
import type { Scope } from "./scopes.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One operation as data; validation, OpenAPI, SDK and the test battery are derived from it. */
export interface Endpoint {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly tag:
    | "Identity"
    | "Links"
    | "Analytics"
    | "QR codes"
    | "Domains"
    | "Tags"
    | "Sharing"
    | "Webhook endpoints"
    | "Tokens"
    | "Account"
    | "Console";
  /** `null`: any valid token works. */
  readonly scope: Scope | null;
  /** Further scopes that a token needs. */
  readonly moreScopes?: readonly Scope[];
  /** The minimum role in the console. Of the API's own operations, most leave it to their scope. */
  readonly role?: Role;
  /** Console operations only: may be called without a session. */
  readonly open?: true;
  /** Console operations only: whether a recent re-authentication is required. */
  readonly sudo?: Sudo;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** The whole body is optional, as in the four state actions. */
  readonly bodyOptional?: true;
  /** Overrides the default body limit. */
  readonly bodyBytesMax?: number;
  /** Levels of nesting that it may have beyond the default. */
  readonly bodyDepthAdded?: number;
  readonly mediaTypes?: readonly string[];
  /** Record fields that this body must not contain; reported differently from unknown fields. */
  readonly readOnlyFields?: readonly string[];
  readonly idempotencyKey?: true;
  /** Repeating it does something else once more, and no key prevents that: clients must not retry it unasked. */
  readonly unrepeatable?: true;
  readonly ifMatch?: true;
  /** A change that takes nothing away: it only adds something, or brings it back. Creating something always is. */
  readonly additive?: true;
  readonly status: 200 | 201 | 204;
  /** Another status of a success, with the same response: the object was there already. */
  readonly otherStatus?: 200;
  readonly response?: z.ZodType;
  /** The response if the query's `fields` select some of each object's. */
  readonly selected?: z.ZodType;
  /** Media types of a binary response. It has an `ETag`, so clients can revalidate a cached copy. */
  readonly binary?: readonly string[];
  /** Media types of a streamed response. Browsers request it without custom headers. */
  readonly streams?: readonly string[];
  /** Text media types the response is available in, besides the JSON that `response` describes, or instead of it. */
  readonly textTypes?: readonly string[];
  /** Media types of a file of any size, streamed. */
  readonly downloads?: readonly string[];
  /** The handler returns a whole response, in a protocol of its own. */
  readonly ownProtocol?: true;
  /** The response has an `ETag` with the record's `version`. */
  readonly etag?: true;
  /** The `Location` header of the response, with `{field}` filled in from the record. */
  readonly location?: string;
  /** The response is a page: its `Link` header points to the next one, and maybe the one before. */
  readonly paged?: true;
  /** Errors beyond those that `errorsOf` derives from the other fields. */
  readonly errors: readonly ErrorCode[];
  readonly examples?: { readonly body?: unknown; readonly response?: unknown };
}

/** Keeps the literal types, so a handler sees exactly what its endpoint declares. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition;

type Part<E, K extends "params" | "query" | "body"> =
  E extends Record<K, infer S extends z.ZodType> ? { readonly [P in K]: z.output<S> } : unknown;

/** What a handler receives, after validation. */
export type Input<E> = Part<E, "params"> & Part<E, "query"> & Part<E, "body">;

interface TextFile<T extends string> {
  readonly mediaType: T;
  /** For downloads: letters, digits, `_`, `-` and dots. */
  readonly fileName: string;
  readonly text: string;
}

/** A response in one of the endpoint's `textTypes`. */
export class TextResult<T extends string = string> implements TextFile<T> {
  readonly mediaType: T;
  readonly fileName: string;
  readonly text: string;

  constructor({ mediaType, fileName, text }: TextFile<T>) {
    this.mediaType = mediaType;
    this.fileName = fileName;
    this.text = text;
  }
}

interface TextParts<T extends string> extends Omit<TextFile<T>, "text"> {
  /** Read as fast as the client does, and closed if it goes away. */
  readonly parts: AsyncGenerator<string>;
}

/** The same for a text of any length. What fails before its first part is an error response; later, the text ends early. */
export class TextStream<T extends string = string> implements TextParts<T> {
  readonly mediaType: T;
  readonly fileName: string;
  readonly parts: AsyncGenerator<string>;

  constructor({ mediaType, fileName, parts }: TextParts<T>) {
    this.mediaType = mediaType;
    this.fileName = fileName;
    this.parts = parts;
  }
}

interface DownloadParts<T extends string> extends Omit<TextFile<T>, "text"> {
  /** Read as fast as the client does, and closed if it goes away. */
  readonly parts: AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

/** A response in one of the endpoint's `downloads` types; the same as a `TextStream` otherwise. */
export class Download<T extends string = string> implements DownloadParts<T> {
  readonly mediaType: T;
  readonly fileName: string;
  readonly parts: AsyncGenerator<Uint8Array<ArrayBuffer>>;

  constructor({ mediaType, fileName, parts }: DownloadParts<T>) {
    this.mediaType = mediaType;
    this.fileName = fileName;
    this.parts = parts;
  }
}

interface BinaryParts<T extends string> {
  readonly mediaType: T;
  /** The value of the `ETag`: different bytes have different tags. */
  readonly tag: string;
  /** Added to the default headers, or replacing them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Not called if the client's cached copy is current. */
  readonly read: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** A response in one of the endpoint's `binary` types. */
export class BinaryResult<T extends string = string> {
  readonly parts: BinaryParts<T>;

  constructor(parts: BinaryParts<T>) {
    this.parts = parts;
  }
}

type TextOutput<E> = E extends { readonly textTypes: readonly (infer T extends string)[] }
  ? TextResult<T> | TextStream<T>
  : never;

/** What a handler must return. */
export type Output<E> = E extends { readonly response: infer S extends z.ZodType }
  ? z.input<S> | TextOutput<E>
  : E extends { readonly binary: readonly (infer T extends string)[] }
    ? BinaryResult<T>
    : E extends { readonly textTypes: readonly string[] }
      ? TextOutput<E>
      : E extends { readonly downloads: readonly (infer T extends string)[] }
        ? Download<T>
        : undefined;

const DEFAULT_MEDIA_TYPES = ["application/json"] as const;
export const mediaTypesOf = (endpoint: Endpoint): readonly string[] => endpoint.mediaTypes ?? DEFAULT_MEDIA_TYPES;

/** Every scope that a token needs; none if any valid token works. */
export const scopesOf = ({ scope, moreScopes = [] }: Endpoint): readonly Scope[] =>
  scope === null ? [] : [scope, ...moreScopes];

/** Whether nothing changes: some `POST` requests only ask, with more than fits into a query. */
export const isReadOnly = (endpoint: Endpoint): boolean =>
  endpoint.method === "GET" ||
  (endpoint.method === "POST" && scopesOf(endpoint).every((scope) => scope.endsWith(":read")));

const commonErrors: readonly ErrorCode[] = [
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

/** Every error an operation can return: its own and those implied by its parts. */
export function errorsOf(endpoint: Endpoint): ReadonlySet<ErrorCode> {
  const codes = new Set<ErrorCode>([...commonErrors, ...endpoint.errors]);
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
