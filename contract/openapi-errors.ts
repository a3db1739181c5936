import { z } from "zod";
import type { ErrorDetails } from "./error-table.ts";
import { type ErrorCode, errorCodes, errors } from "./errors.ts";
import { errorHeaders } from "./openapi-headers.ts";
import { type JsonSchema, pascalCase, type SchemaBook } from "./openapi-schemas.ts";

type DetailedCode = { [C in ErrorCode]: undefined extends ErrorDetails<C> ? never : C }[ErrorCode];

const detailsExamples: { readonly [C in DetailedCode]: ErrorDetails<C> } & Partial<Record<ErrorCode, unknown>> = {
  invalid_json: { offset: 17 },
  insufficient_scope: { required_scope: "links:write", token_scopes: ["links:read"] },
  plan_limit: { feature: "active_links", limit: 25 },
  method_not_allowed: { allowed: ["GET", "HEAD", "PATCH", "DELETE"] },
  invalid_state: { state: "archived", action: "pause", allowed_actions: ["unarchive"] },
  external_id_taken: { external_id: "order-4711", link_id: "lnk_01k9zq3v7m8r5c2x4t6w0h1jba" },
  slug_taken: { slug: "spring-sale" },
  domain_exists: { domain: "go.acme.example" },
  domain_in_use: { links: 12 },
  tag_exists: { tag: "summer" },
  tag_busy: { tag: "spring" },
  version_retired: { successor: "/api/v2" },
  precondition_failed: { current_version: 4 },
  payload_too_large: { limit_bytes: 65536 },
  unsupported_media_type: { accepted: ["application/json"] },
  validation_failed: {
    errors: [{ location: "body", field: "utm.utm_source", code: "too_long", message: "at most 255 characters" }],
  },
  operation_failed: {
    index: 1,
    status: 409,
    error: { code: "slug_taken", message: 'The slug "spring-sale" is taken.', details: { slug: "spring-sale" } },
  },
  destination_blocked: { reason: "phishing", field: "destination_url" },
  domain_not_verified: { domain: "go.acme.example" },
  rate_limited: { limit: 120, window_seconds: 60, retry_after: 7 },
};

const hasDetails = (code: ErrorCode): boolean => !(errors[code].details instanceof z.ZodUndefined);

const errorSchemaName = (code: ErrorCode): string => `${pascalCase(code).replace(/Error$/, "")}Error`;

interface Details {
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** The schema of a code's `details`, if it has any. */
export const findDetails = (code: ErrorCode, book: SchemaBook): Details | undefined =>
  hasDetails(code)
    ? {
        schema: book.describe(errors[code].details, "output"),
        required: !(errors[code].details instanceof z.ZodOptional),
      }
    : undefined;

/** The envelope's content for one code. */
function errorSchema(code: ErrorCode, book: SchemaBook): JsonSchema {
  const details = findDetails(code, book);
  return {
    type: "object",
    description: `${errors[code].summary}.`,
    properties: {
      code: { type: "string", const: code, description: "Identifies the error. Handle errors by this code." },
      message: { type: "string", description: "A human-readable explanation. The wording may change." },
      request_id: { type: "string", description: "The same as the `X-Request-Id` header." },
      ...(details && { details: details.schema }),
    },
    required: ["code", "message", "request_id", ...(details?.required ? ["details"] : [])],
  };
}

/** The body of an error response with any of these codes. */
export function errorEnvelope(codes: readonly ErrorCode[], book: SchemaBook): JsonSchema {
  const refs = codes.map((code) => ({ code, ...book.define(errorSchemaName(code), errorSchema(code, book)) }));
  const error: JsonSchema = {
    type: "object",
    oneOf: refs.map(({ $ref }) => ({ $ref })),
    discriminator: { propertyName: "code", mapping: Object.fromEntries(refs.map(({ code, $ref }) => [code, $ref])) },
  };
  return { type: "object", properties: { error }, required: ["error"] };
}

const errorExample = (code: ErrorCode) => ({
  error: {
    code,
    message: `${errors[code].summary}.`,
    request_id: "req_01k9zq3v7m8r5c2x4t6w0h1jba",
    ...(hasDetails(code) && { details: detailsExamples[code] }),
  },
});

/** The response for one status; codes that share it differ in `error.code`. */
function errorResponse(status: number, codes: readonly ErrorCode[], book: SchemaBook): object {
  return {
    description: codes.map((code) => `${errors[code].summary} (\`${code}\`).`).join(" "),
    headers: errorHeaders(status, codes),
    content: {
      "application/json": {
        schema: errorEnvelope(codes, book),
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: errors[code].summary, value: errorExample(code) }]),
        ),
      },
    },
  };
}

/** Gathers the error answers of one document, so that operations which share one refer to it. */
export function responseBook(book: SchemaBook) {
  const named = new Map<string, object>();
  return {
    /** The error answers of an operation by status, in the order of the table of errors. */
    describe(codes: ReadonlySet<ErrorCode>): Record<string, object> {
      const declared = errorCodes.filter((code) => codes.has(code));
      const byStatus = Map.groupBy(declared, (code) => errors[code].status);
      return Object.fromEntries(
        [...byStatus].map(([status, group]) => {
          const name = group.map(pascalCase).join("Or");
          if (!named.has(name)) named.set(name, errorResponse(status, group, book));
          return [status, { $ref: `#/components/responses/${name}` }];
        }),
      );
    },
    responses: (): Record<string, object> => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
