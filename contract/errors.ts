import { z } from "zod";
import { Scope } from "./scopes.ts";

const fieldCodes = [
  "required",
  "type",
  "too_short",
  "too_long",
  "out_of_range",
  "invalid_format",
  "not_in_enum",
  "unknown_field",
  "read_only_field",
  "duplicate_parameter",
  "invalid_url",
  "scheme_not_allowed",
  "credentials_not_allowed",
  "host_not_allowed",
  "homograph",
  "self_reference",
  "nested_shortener",
  "reserved_slug",
  "invalid_cursor",
  "invalid_timezone",
  "range_too_large",
  "low_contrast",
  "in_past",
  "too_deep",
] as const;
export type FieldCode = (typeof fieldCodes)[number];

/** For checks that a schema can't express: what its error says, and with which code. */
export const fieldProblem = (code: FieldCode, message: string) => ({ message, params: { code } });

export const FieldError = z
  .object({
    location: z.enum(["body", "query", "path", "header"]),
    field: z.string().describe("The path of the field, such as `utm.utm_source`. Empty for the whole body."),
    code: z.enum(fieldCodes),
    message: z.string(),
  })
  .meta({ id: "FieldError", description: "One problem with one field." });
export type FieldError = z.output<typeof FieldError>;

export const FIELD_ERRORS_MAX = 50;

export const blockReasons = ["malware", "phishing", "spam", "legal", "manual"] as const;
export const BlockReason = z.enum(blockReasons).meta({ id: "BlockReason", description: "Why a link is blocked." });
export type BlockReason = z.output<typeof BlockReason>;

export const OperationError = z
  .object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional().describe("Depends on the code, as in other errors."),
  })
  .meta({ id: "OperationError", description: "Why one operation of many failed." });
export type OperationError = z.output<typeof OperationError>;

interface ErrorDefinition {
  readonly status: number;
  readonly details: z.ZodType;
  readonly summary: string;
}

const none = z.undefined();

/** Every error the API can return: the envelope, the OpenAPI responses and the SDK's union are derived from it. */
export const errors = {
  bad_request: { status: 400, details: none, summary: "The request is malformed" },
  invalid_json: {
    status: 400,
    details: z.object({ offset: z.int().optional() }).optional(),
    summary: "The body is not valid UTF-8 JSON",
  },
  invalid_idempotency_key: {
    status: 400,
    details: none,
    summary: "The Idempotency-Key must be 1 to 255 visible ASCII characters",
  },
  missing_token: { status: 401, details: none, summary: "No bearer token was sent" },
  invalid_token: { status: 401, details: none, summary: "The token is malformed or unknown" },
  token_expired: { status: 401, details: none, summary: "The token has expired" },
  token_revoked: { status: 401, details: none, summary: "The token was revoked" },
  insufficient_scope: {
    status: 403,
    details: z.object({ required_scope: Scope, token_scopes: z.array(Scope) }),
    summary: "The token doesn't have the scope this endpoint requires",
  },
  plan_limit: {
    status: 403,
    details: z.object({ feature: z.string(), limit: z.int() }),
    summary: "The account's plan doesn't allow this",
  },
  account_suspended: { status: 403, details: none, summary: "The account is suspended" },
  not_found: { status: 404, details: none, summary: "No such route, or no such object in this account" },
  method_not_allowed: {
    status: 405,
    details: z.object({ allowed: z.array(z.string()) }),
    summary: "The route doesn't support this method",
  },
  invalid_state: {
    status: 409,
    details: z.object({ state: z.string(), action: z.string(), allowed_actions: z.array(z.string()) }),
    summary: "The link's state doesn't allow this action",
  },
  slug_taken: {
    status: 409,
    details: z.object({ slug: z.string() }),
    summary: "The slug is in use or was used before",
  },
  domain_exists: {
    status: 409,
    details: z.object({ domain: z.string() }),
    summary: "The account already has this domain",
  },
  domain_in_use: {
    status: 409,
    details: z.object({ links: z.int() }),
    summary: "The domain still has links",
  },
  external_id_taken: {
    status: 409,
    details: z.object({ external_id: z.string(), link_id: z.string() }),
    summary: "Another link of the account has this external_id",
  },
  tag_exists: {
    status: 409,
    details: z.object({ tag: z.string() }),
    summary: "Another tag has this name, and `merge` isn't set",
  },
  tag_busy: {
    status: 409,
    details: z.object({ tag: z.string() }),
    summary: "Links are still being moved to or from this tag",
  },
  idempotency_in_progress: { status: 409, details: none, summary: "A request with this key is still running" },
  version_retired: {
    status: 410,
    details: z.object({ successor: z.string() }),
    summary: "This API version was retired",
  },
  precondition_failed: {
    status: 412,
    details: z.object({ current_version: z.int() }),
    summary: "If-Match doesn't match the current version",
  },
  payload_too_large: { status: 413, details: z.object({ limit_bytes: z.int() }), summary: "The body is too large" },
  uri_too_long: { status: 414, details: none, summary: "The request URL is too long" },
  unsupported_media_type: {
    status: 415,
    details: z.object({ accepted: z.array(z.string()) }),
    summary: "The body's media type, charset or encoding isn't supported",
  },
  validation_failed: {
    status: 422,
    details: z.object({ errors: z.array(FieldError).max(FIELD_ERRORS_MAX) }),
    summary: "Some fields or parameters are invalid; `details` lists all of them",
  },
  operation_failed: {
    status: 422,
    details: z.object({
      index: z.int().describe("Which operation failed, counted from 0."),
      status: z.int().describe("The status that a request of its own would have had."),
      error: OperationError,
    }),
    summary: "One of the operations failed, so none of them happened",
  },
  destination_blocked: {
    status: 422,
    details: z.object({ reason: BlockReason, field: z.string() }),
    summary: "The destination in this field is on the operator's block list",
  },
  domain_not_verified: {
    status: 422,
    details: z.object({ domain: z.string() }),
    summary: "The domain isn't one of the account's verified domains",
  },
  idempotency_key_reused: { status: 422, details: none, summary: "The key was already used with a different body" },
  rate_limited: {
    status: 429,
    details: z.object({ limit: z.int(), window_seconds: z.int(), retry_after: z.int() }),
    summary: "The token has reached its rate limit",
  },
  headers_too_large: { status: 431, details: none, summary: "The request headers are too large" },
  internal_error: { status: 500, details: none, summary: "Something went wrong on our side" },
  unavailable: { status: 503, details: none, summary: "The service is temporarily unavailable" },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errors;
export const errorCodes = Object.keys(errors) as ErrorCode[];
