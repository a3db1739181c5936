import { type Endpoint, errorsOf, mediaTypesOf, scopesOf } from "./endpoint.ts";
import { releasedEndpoints } from "./index.ts";
import { responseBook } from "./openapi-errors.ts";
import { binaryHeaders, headerParameters, headers, successHeaders } from "./openapi-headers.ts";
import { type JsonSchema, type SchemaBook, schemaBook } from "./openapi-schemas.ts";
import { deliveryParameters, describeWebhooks } from "./openapi-webhooks.ts";
import type { Scope } from "./scopes.ts";

const description = `Create and manage short links, read their analytics and generate their QR codes.

**Authentication.** Send your API token as \`Authorization: Bearer <token>\`. Create tokens on the Developer page of the
console, or ask your operator to run \`kurz tokens create\`. A token is shown only once. Scopes don't imply each other.
Your account's plan must include API access.

**Errors.** Every error has the form \`{ "error": { "code", "message", "request_id", "details" } }\`. Handle errors by
their \`code\`; the wording of \`message\` may change. \`details\` depends on the code and is absent if there is nothing
to add. Only requests that the HTTP parser rejects (malformed, 400; more than 16 KiB of headers, 431) get no body.

**Rate limits.** Each token may send a number of requests per 60 seconds, shown in the \`RateLimit-Policy\` and
\`RateLimit\` headers. Tokens share the number with those that they create. Beyond that, requests fail with 429 and a
\`Retry-After\` header in seconds.

**Idempotency.** \`POST /api/v1/links\`, \`/api/v1/links/bulk\` and
\`/api/v1/links/{id}/share\` accept an \`Idempotency-Key\`: for 24 hours, a retry with the same key and body
returns the first response again. \`GET\` and \`PUT\` requests are safe to retry, \`PATCH\` requests if they send
\`If-Match\`. A repeated \`DELETE\` may return 404. Operations with \`x-unrepeatable\` do their work once more each time:
if a response was lost, look what happened before you repeat them. Any request is safe to retry after 429.

**Versioning.** Requests with unknown fields or parameters are rejected. In responses, ignore what you don't know: fields,
event types, error codes and enum values may be added within v1. Breaking changes go into v2 and are announced by
\`Deprecation\` and \`Sunset\` headers at least twelve months ahead.`;

const tagDescriptions: Readonly<Partial<Record<Endpoint["tag"], string>>> = {
  Identity: "The account, plan and limits behind a token.",
  Links: "Short links and their destinations.",
  Analytics: "Clicks over time and by dimension.",
  "QR codes": "QR code images of short URLs.",
  Domains: "Host names of your own for short links.",
  Sharing: "Public, read-only reports of links.",
  "Webhook endpoints": "Servers that receive events.",
  Tokens: "The account's API tokens.",
  Tags: "The tags of your links.",
  Account: "Everything that an account has.",
};

/** One parameter per property of `params` or `query`; arrays repeat the parameter. */
function parametersIn(place: "path" | "query", endpoint: Endpoint, book: SchemaBook): object[] {
  const source = place === "path" ? endpoint.params : endpoint.query;
  if (!source) return [];
  const { properties = {}, required = [] } = book.describe(source, "input");
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    ...(schema.type === "array" && { style: "form", explode: true }),
    schema,
  }));
}

function requestBody(endpoint: Endpoint, book: SchemaBook): object | undefined {
  if (!endpoint.body) return undefined;
  const content = { schema: book.describe(endpoint.body, "input"), example: endpoint.examples?.body ?? {} };
  return {
    required: !endpoint.bodyOptional,
    content: Object.fromEntries(mediaTypesOf(endpoint).map((mediaType) => [mediaType, content])),
  };
}

function successResponse(endpoint: Endpoint, book: SchemaBook): object {
  const { response, binary = [], downloads = [], textTypes = [], examples } = endpoint;
  const json = response && {
    schema: endpoint.selected
      ? { anyOf: [book.describe(response, "output"), book.describe(endpoint.selected, "output")] }
      : book.describe(response, "output"),
    ...(examples?.response !== undefined && { example: examples.response }),
  };
  // Raw bytes have no JSON Schema: in OpenAPI 3.1 the media type is enough.
  const content = {
    ...(json && { "application/json": json }),
    ...Object.fromEntries(textTypes.map((type) => [type, { schema: { type: "string" } }])),
    ...Object.fromEntries([...binary, ...downloads].map((type) => [type, {}])),
  };
  return {
    description: response?.meta()?.description ?? describeBody(endpoint),
    headers: endpoint.binary ? binaryHeaders(endpoint) : successHeaders(endpoint),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

function describeBody({ binary, downloads, textTypes }: Endpoint): string {
  if (binary) return "The image.";
  if (downloads) return "The file, streamed.";
  return textTypes ? "The text, streamed." : "Success, without a body.";
}

function needsOf(scopes: readonly Scope[]): string {
  const names = scopes.map((scope) => `\`${scope}\``);
  if (names.length === 0) return "Requires no scope.";
  if (names.length === 1) return `Requires the ${names[0]} scope.`;
  return `Requires the scopes ${names.slice(0, -1).join(", ")} and ${names.at(-1)}.`;
}

function operation(endpoint: Endpoint, book: SchemaBook, errorResponses: Record<string, object>): object {
  const parameters = [
    ...parametersIn("path", endpoint, book),
    ...parametersIn("query", endpoint, book),
    ...(endpoint.idempotencyKey ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ...(endpoint.ifMatch ? [{ $ref: "#/components/parameters/IfMatch" }] : []),
    ...(endpoint.binary ? [{ $ref: "#/components/parameters/IfNoneMatch" }] : []),
  ];
  const body = requestBody(endpoint, book);
  const scopes = scopesOf(endpoint);
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: `${endpoint.description}\n\n${needsOf(scopes)}`,
    security: [{ bearerToken: [] }],
    ...(endpoint.scope && { "x-required-scope": endpoint.scope }),
    ...(scopes.length > 1 && { "x-required-scopes": scopes }),
    ...(endpoint.unrepeatable && { "x-unrepeatable": true }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      [endpoint.status]: successResponse(endpoint, book),
      ...(endpoint.otherStatus && { [endpoint.otherStatus]: successResponse(endpoint, book) }),
      ...(endpoint.binary && {
        304: { description: "Your cached copy is current; there is no body.", headers: binaryHeaders(endpoint) },
      }),
      ...errorResponses,
    },
  };
}

function tags(endpoints: readonly Endpoint[]): object[] {
  const used = [...new Set(endpoints.map(({ tag }) => tag))];
  return [
    ...used.map((name) => ({ name, description: tagDescriptions[name] })),
    {
      name: "Webhooks",
      description: "Signed event deliveries to your own endpoints.",
    },
  ];
}

interface OpenApiOptions {
  readonly baseUrl: string;
  readonly endpoints?: readonly Endpoint[];
}

/** The OpenAPI 3.1 document of a deployment; deterministic. */
export function openApiDocument({ baseUrl, endpoints = releasedEndpoints }: OpenApiOptions): object {
  const book = schemaBook();
  const errorBook = responseBook(book);
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const described = operation(endpoint, book, errorBook.describe(errorsOf(endpoint)));
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: described };
  }
  const webhooks = describeWebhooks(book);
  return {
    openapi: "3.1.0",
    info: {
      title: "Kurz API",
      version: "v1",
      description,
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "The operator of this deployment", url: baseUrl },
    },
    servers: [{ url: baseUrl }],
    tags: tags(endpoints),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearerToken: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "kurz_<id>_<secret>",
          description: "An API token.",
        },
      },
      parameters: { ...headerParameters, ...deliveryParameters },
      headers,
      schemas: book.schemas(),
      responses: errorBook.responses(),
    },
  };
}
