import { type Endpoint, errorsOf, mediaTypesOf } from "./endpoint.ts";
import { releasedEndpoints } from "./index.ts";
import { responseBook } from "./openapi-errors.ts";
import { binaryHeaders, headerParameters, headers, successHeaders } from "./openapi-headers.ts";
import { type JsonSchema, type SchemaBook, schemaBook } from "./openapi-schemas.ts";
import { deliveryParameters, describeWebhooks } from "./openapi-webhooks.ts";

const description = `Short links: where they lead, how they are labelled, and whether they are on.

**Authentication.** Every request carries \`Authorization: Bearer <token>\`. Tokens are made in the developer
area of the console, or by the operator (\`kurz tokens create\`), and are shown once. Their scopes do not imply each other.
The plan of the account must include API access.

**Errors.** Every error is \`{ "error": { "code", "message", "request_id", "details" } }\`. Switch on \`code\`;
\`message\` is for people and may change. \`details\` depends on the code and is absent when there is nothing to say.
Only what the HTTP parser turns away before any route is found has no body: a head that is malformed (400) or has more
than 16 KiB (431).

**Rate limits.** Each token has a quota of requests in any 60 seconds, told by \`RateLimit-Policy\` and \`RateLimit\`.
Beyond it the answer is 429 with \`Retry-After\` in seconds.

**Idempotency.** \`POST /api/v1/links\` takes an \`Idempotency-Key\`: for 24 hours a retry with the same key and body
gets the first answer again. The other operations may be repeated as they are.

**Requests** are closed: unknown fields and parameters are refused. **Answers** are open: ignore what you do not know,
since fields, event types, error codes and values may be added within v1. Whatever would break a client goes to v2, and
is announced by \`Deprecation\` and \`Sunset\` headers at least twelve months ahead.`;

const tagDescriptions: Readonly<Partial<Record<Endpoint["tag"], string>>> = {
  Identity: "Who a token speaks for.",
  Links: "Short links and what they lead to.",
  Analytics: "Clicks, by time and by dimension.",
  "QR codes": "Images of short addresses.",
};

/** A parameter for each property of `params` or `query`; arrays are sent by repeating the name. */
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
  const { response, binary = [], textTypes = [], examples } = endpoint;
  const json = response && {
    schema: book.describe(response, "output"),
    ...(examples?.response !== undefined && { example: examples.response }),
  };
  // Raw bytes have no JSON Schema: OpenAPI 3.1 leaves the media type alone to speak for them.
  const content = {
    ...(json && { "application/json": json }),
    ...Object.fromEntries(textTypes.map((type) => [type, { schema: { type: "string" } }])),
    ...Object.fromEntries(binary.map((type) => [type, {}])),
  };
  return {
    description: response?.meta()?.description ?? (binary.length > 0 ? "The image." : "Done; there is no body."),
    headers: endpoint.binary ? binaryHeaders(endpoint) : successHeaders(endpoint),
    ...(Object.keys(content).length > 0 && { content }),
  };
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
  const needs = endpoint.scope ? `Needs the scope \`${endpoint.scope}\`.` : "Needs no scope.";
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: `${endpoint.description}\n\n${needs}`,
    security: [{ bearerToken: [] }],
    ...(endpoint.scope && { "x-required-scope": endpoint.scope }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      [endpoint.status]: successResponse(endpoint, book),
      ...(endpoint.binary && {
        304: { description: "What you hold is current; there is no body.", headers: binaryHeaders(endpoint) },
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
      description: "Signed deliveries of events to addresses of your own.",
    },
  ];
}

interface OpenApiOptions {
  readonly baseUrl: string;
  readonly endpoints?: readonly Endpoint[];
}

/** The OpenAPI 3.1 document of a deployment, the same text for the same endpoints. */
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
          description: "An API token, as `kurz tokens create` prints it.",
        },
      },
      parameters: { ...headerParameters, ...deliveryParameters },
      headers,
      schemas: book.schemas(),
      responses: errorBook.responses(),
    },
  };
}
