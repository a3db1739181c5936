import type { z } from "zod";
import type { Endpoint } from "#contract/endpoint.ts";
import type { FieldError } from "#contract/errors.ts";
import { notFound, validationFailed } from "#kernel/api-error.ts";
import { parseIfMatch } from "#kernel/precondition.ts";
import { fieldErrors } from "#shared/field-errors.ts";
import { readIdempotencyKey, toIdempotencyKey } from "./idempotency-key.ts";
import { withMeantFields } from "./meant-field.ts";
import { parseQuery } from "./parse-query.ts";
import { checkShape, DEPTH_MAX, parseJson, readBody } from "./read-body.ts";
import type { Route } from "./route.ts";

/** Steps 8 to 11 of the processing order: the first kind of error wins, and lists all fields with it. */
export async function readInput(
  { endpoint, checkBody, checkQuery }: Pick<Route, "endpoint" | "checkBody" | "checkQuery">,
  request: Request,
  rawParams: Readonly<Record<string, string>>,
  rawQuery: string,
): Promise<Record<string, unknown>> {
  const bytes = endpoint.body ? await readBody(endpoint, request) : null;
  const key = readIdempotencyKey(endpoint, request.headers);
  const json = endpoint.body ? (bytes === null ? {} : parseJson(bytes)) : undefined;

  const query = parseQuery(endpoint.query, rawQuery, checkQuery);
  const body = parseBody({ endpoint, checkBody }, json);
  const errors = [...query.errors, ...body.errors];
  // A retry may arrive after its `expires_at` has passed, so the handler first checks whether it is a retry.
  const isLateRetry = key !== null && errors.every(({ code }) => code === "in_past");
  if (errors.length > 0 && !isLateRetry) throw validationFailed(errors);

  return {
    ...(endpoint.params && { params: parseParams(endpoint.params, rawParams) }),
    ...(endpoint.query && { query: query.value }),
    ...(endpoint.body && { body: body.value }),
    ...(endpoint.ifMatch && { ifMatch: parseIfMatch(request.headers.get("if-match")) }),
    ...(endpoint.idempotencyKey && { idempotency: toIdempotencyKey(endpoint, key, json) }),
  };
}

interface CheckedBody extends Pick<Route, "endpoint"> {
  readonly checkBody?: Route["checkBody"] | undefined;
}

/** A body, or everything that is wrong with it. */
export function parseBody(
  { endpoint, checkBody }: CheckedBody,
  json: unknown,
): { value?: unknown; errors: FieldError[] } {
  if (!endpoint.body) return { errors: [] };
  const shape = checkShape(json, DEPTH_MAX + (endpoint.bodyDepthAdded ?? 0));
  if (shape.length > 0) return { errors: shape };
  const parsed = endpoint.body.safeParse(json);
  const errors = parsed.success ? [] : fieldErrors("body", parsed.error.issues, json).map(markReadOnly(endpoint));
  // The route's own message is more specific: `robots.txt` doesn't match the pattern, but is really reserved.
  const specific = isObject(json) && checkBody ? checkBody(membersOf(endpoint.body, json)) : [];
  const named = new Set(specific.map(({ field }) => field));
  const others = withMeantFields(
    endpoint.body,
    errors.filter(({ field }) => !named.has(field)),
  );
  return { value: parsed.data, errors: [...others, ...specific] };
}

const membersOf = ({ shape }: z.ZodObject, json: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(json).filter(([name]) => Object.hasOwn(shape, name)));

const markReadOnly =
  ({ readOnlyFields }: Endpoint) =>
  (error: FieldError): FieldError =>
    error.code === "unknown_field" && readOnlyFields?.includes(error.field)
      ? { ...error, code: "read_only_field", message: "This field can't be changed." }
      : error;

/** A malformed id is reported as not found. */
function parseParams(schema: NonNullable<Route["endpoint"]["params"]>, raw: Readonly<Record<string, string>>): unknown {
  const parsed = schema.safeParse(raw);
  if (!parsed.success) throw notFound();
  return parsed.data;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
