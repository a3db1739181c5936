import { type Endpoint, type Method, mediaTypesOf } from "./endpoint.ts";
import type { JsonSchema, SchemaBook } from "./openapi-schemas.ts";

/** What a client needs to know of an operation to call it. The tables of all clients are printed from these. */
export interface OperationRoute {
  readonly method: Method;
  readonly path: string;
  /** Of the body; `null` if the operation has none. */
  readonly mediaType: string | null;
  readonly idempotencyKey: boolean;
  readonly ifMatch: boolean;
  readonly repeatable: boolean;
  readonly answer: "json" | "bytes" | "stream" | "none";
  /** Media types in which the response may be text instead. */
  readonly textTypes: readonly string[];
}

export function routeOf(endpoint: Endpoint, book: SchemaBook): OperationRoute {
  const { method, path, idempotencyKey = false, ifMatch = false, unrepeatable = false, textTypes = [] } = endpoint;
  const mediaType = findBody(endpoint, book) === undefined ? null : (mediaTypesOf(endpoint)[0] ?? null);
  return {
    ...{ method, path, mediaType, idempotencyKey, ifMatch },
    ...{ repeatable: !unrepeatable, answer: answerOf(endpoint), textTypes },
  };
}

/** The body of an operation, unless it is the empty object: clients then send none. */
export function findBody({ body }: Endpoint, book: SchemaBook): JsonSchema | undefined {
  const schema = body && book.describe(body, "input");
  const hasFields = schema?.$ref !== undefined || Object.keys(schema?.properties ?? {}).length > 0;
  return hasFields ? schema : undefined;
}

export function answerOf({ response, binary, downloads, textTypes }: Endpoint): OperationRoute["answer"] {
  if (response) return "json";
  if (binary) return "bytes";
  return downloads || textTypes ? "stream" : "none";
}
