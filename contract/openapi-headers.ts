import type { Endpoint } from "./endpoint.ts";
import type { ErrorCode } from "./errors.ts";

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;

/** Headers that an answer always carries are `required`; the others say when they are there. */
export const headers = {
  "X-Request-Id": {
    description: "Names this exchange in our logs; the same as `error.request_id`.",
    required: true,
    schema: text,
    example: "req_01k9zq3v7m8r5c2x4t6w0h1jba",
  },
  ETag: {
    description: "The link's `version`, quoted, for `If-Match`.",
    required: true,
    schema: { type: "string", pattern: '^"[0-9]+"$' },
    example: '"1"',
  },
  Location: {
    description: "The path of the new link.",
    required: true,
    schema: { type: "string", format: "uri-reference" },
    example: "/api/v1/links/lnk_01k9zq3v7m8r5c2x4t6w0h1jba",
  },
  Link: {
    description: 'The next page, as `<…>; rel="next"` (RFC 8288). Absent on the last page.',
    schema: text,
    example: '<https://s.example/api/v1/links?cursor=eyJ2IjoxfQ>; rel="next"',
  },
  "Content-Disposition": {
    description: "A name for the file, with `format=csv`.",
    schema: text,
    example: 'attachment; filename="account-by-day.csv"',
  },
  "Idempotent-Replayed": {
    description: "`true` when this is the stored answer to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
  "Retry-After": {
    description: "How many seconds to wait before trying again.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 7,
  },
  "WWW-Authenticate": {
    description: "What is wrong with the token, after RFC 6750.",
    required: true,
    schema: text,
    example: 'Bearer realm="api"',
  },
  RateLimit: {
    description: "What is left (`r`) and the seconds until a slot is free (`t`). Absent when limits are switched off.",
    schema: text,
    example: '"default";r=119;t=60',
  },
  "RateLimit-Policy": {
    description: "The quota (`q`) in any window of `w` seconds. Absent when limits are switched off.",
    schema: text,
    example: '"default";q=120;w=60',
  },
  "X-RateLimit-Limit": { description: "Requests allowed in any window.", schema: count, example: 120 },
  "X-RateLimit-Remaining": { description: "Requests left.", schema: count, example: 119 },
  "X-RateLimit-Reset": { description: "When a slot is free, in epoch seconds.", schema: count, example: 1767323105 },
} as const;

export type HeaderName = keyof typeof headers;

export const rateLimitHeaders = [
  "RateLimit",
  "RateLimit-Policy",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
] as const satisfies readonly HeaderName[];

type Headers = Record<string, { readonly $ref: string } | { readonly required: boolean }>;

const always = (names: readonly HeaderName[]): Headers =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** A header that is always there for one code of a status, and not for the other codes that share it. */
const sometimes = (name: HeaderName): Headers => ({ [name]: { ...headers[name], required: false } });

export const successHeaders = (endpoint: Endpoint): Headers =>
  always([
    "X-Request-Id",
    ...(endpoint.etag ? (["ETag"] as const) : []),
    ...(endpoint.location ? (["Location"] as const) : []),
    ...(endpoint.paged ? (["Link"] as const) : []),
    ...(endpoint.textTypes ? (["Content-Disposition"] as const) : []),
    ...(endpoint.idempotencyKey ? (["Idempotent-Replayed"] as const) : []),
    ...rateLimitHeaders,
  ]);

const fileHeaders = {
  ETag: {
    description: "Stands for exactly these bytes, for `If-None-Match`.",
    required: true,
    schema: { type: "string", pattern: '^"[A-Za-z0-9_-]+"$' },
    example: '"y1Wf3uQ0c9sXr2mZ8bT5aK7eL4v"',
  },
  "Cache-Control": {
    description: "How long the answer may be used without asking again, by the client alone.",
    required: true,
    schema: text,
    example: "private, max-age=3600",
  },
  "Content-Disposition": {
    description: "A name for the file.",
    required: true,
    schema: text,
    example: 'inline; filename="spring-sale.png"',
  },
};

/** Of an answer that is not JSON, and of the 304 in its place. */
export const binaryHeaders = (endpoint: Endpoint): Headers => ({ ...successHeaders(endpoint), ...fileHeaders });

export function errorHeaders(status: number, codes: readonly ErrorCode[]): Headers {
  if (status === 401) return always(["X-Request-Id", "WWW-Authenticate"]);
  if (status === 429 || status === 503) return always(["X-Request-Id", "Retry-After", ...rateLimitHeaders]);
  return {
    ...always(["X-Request-Id", ...rateLimitHeaders]),
    ...(codes.includes("insufficient_scope") && sometimes("WWW-Authenticate")),
    ...(codes.includes("idempotency_in_progress") && sometimes("Retry-After")),
  };
}

export const headerParameters = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Chosen by the client, 1 to 255 visible ASCII characters. A retry with the same key makes no second link.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: 'The `ETag` that the change is meant for, such as `"1"`, or `*`. Any other version answers 412.',
    schema: text,
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The `ETag` of what you hold already; while it is current, the answer is 304 without a body.",
    schema: text,
  },
} as const;
