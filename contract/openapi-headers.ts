import type { Endpoint } from "./endpoint.ts";
import type { ErrorCode } from "./errors.ts";

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;

/** Headers present in every response are `required`; the descriptions of the others say when they are sent. */
export const headers = {
  "X-Request-Id": {
    description: "Identifies this request in the server logs. The same as `error.request_id`.",
    required: true,
    schema: text,
    example: "req_01k9zq3v7m8r5c2x4t6w0h1jba",
  },
  ETag: {
    description: "The link's `version` in quotes. Send it as `If-Match` when updating.",
    required: true,
    schema: { type: "string", pattern: '^"[0-9]+"$' },
    example: '"1"',
  },
  Location: {
    description: "The API path of the new link.",
    required: true,
    schema: { type: "string", format: "uri-reference" },
    example: "/api/v1/links/lnk_01k9zq3v7m8r5c2x4t6w0h1jba",
  },
  Link: {
    description:
      'The next page, as `<…>; rel="next"` (RFC 8288), and where you can go back, the one before, as `rel="prev"`. Absent ' +
      "if there is neither.",
    schema: text,
    example: '</api/v1/links?cursor=eyJ2IjoxfQ>; rel="next"',
  },
  "Content-Disposition": {
    description: "A file name. Only sent with `format=csv`.",
    schema: text,
    example: 'attachment; filename="account-by-day.csv"',
  },
  "Idempotent-Replayed": {
    description: "`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
  "Retry-After": {
    description: "How many seconds to wait before retrying.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 7,
  },
  "WWW-Authenticate": {
    description: "What is wrong with the token (RFC 6750).",
    required: true,
    schema: text,
    example: 'Bearer realm="api"',
  },
  RateLimit: {
    description:
      "Remaining requests (`r`) and seconds until another request is allowed (`t`). Absent if rate limits are off.",
    schema: text,
    example: '"default";r=119;t=60',
  },
  "RateLimit-Policy": {
    description: "The quota (`q`) per window of `w` seconds. Absent if rate limits are off.",
    schema: text,
    example: '"default";q=120;w=60',
  },
  "X-RateLimit-Limit": { description: "Requests allowed per window.", schema: count, example: 120 },
  "X-RateLimit-Remaining": { description: "Remaining requests.", schema: count, example: 119 },
  "X-RateLimit-Reset": {
    description: "When another request is allowed, in Unix seconds.",
    schema: count,
    example: 1767323105,
  },
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

/** A header sent with one code of a status, but not with the others that share the status. */
const sometimes = (name: HeaderName): Headers => ({ [name]: { ...headers[name], required: false } });

export const successHeaders = (endpoint: Endpoint): Headers =>
  always([
    "X-Request-Id",
    ...(endpoint.etag ? (["ETag"] as const) : []),
    ...(endpoint.location ? (["Location"] as const) : []),
    ...(endpoint.paged ? (["Link"] as const) : []),
    ...(endpoint.textTypes || endpoint.downloads ? (["Content-Disposition"] as const) : []),
    ...(endpoint.idempotencyKey ? (["Idempotent-Replayed"] as const) : []),
    ...rateLimitHeaders,
  ]);

const fileHeaders = {
  ETag: {
    description: "Identifies exactly these bytes. Send it as `If-None-Match`.",
    required: true,
    schema: { type: "string", pattern: '^"[A-Za-z0-9_-]+"$' },
    example: '"y1Wf3uQ0c9sXr2mZ8bT5aK7eL4v"',
  },
  "Cache-Control": {
    description: "How long the client may reuse the response without revalidating. Shared caches must not store it.",
    required: true,
    schema: text,
    example: "private, max-age=3600",
  },
  "Content-Disposition": {
    description: "A file name.",
    required: true,
    schema: text,
    example: 'inline; filename="spring-sale.png"',
  },
};

/** For binary responses and the 304 sent in their place. */
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
      "A unique key of your choice, 1 to 255 visible ASCII characters. A retry with the same key doesn't create a second link.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      'The `ETag` of the version you want to change, such as `"1"`, or `*` for any. If the link has another version, the response is 412.',
    schema: text,
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The `ETag` of your cached copy. If it is still current, the response is 304 without a body.",
    schema: text,
  },
} as const;
