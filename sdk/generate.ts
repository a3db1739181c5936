import { type Endpoint, mediaTypesOf } from "../contract/endpoint.ts";
import { type ErrorCode, errorCodes } from "../contract/errors.ts";
import { releasedEndpoints } from "../contract/index.ts";
import { findDetails } from "../contract/openapi-errors.ts";
import { type JsonSchema, pascalCase, type SchemaBook, schemaBook } from "../contract/openapi-schemas.ts";
import { webhookEvents } from "../contract/webhooks.ts";
import { docComment, printMembers, printType, propertyName } from "./type-printer.ts";

const HEAD = `// Made by \`npm run generate\` from contract/; changes made here are lost.

export interface OperationRoute {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly params: readonly string[];
  readonly query: readonly string[];
  /** The media type that a body is sent as; \`null\` when the operation takes none. */
  readonly mediaType: string | null;
  readonly idempotencyKey: boolean;
  readonly ifMatch: boolean;
  readonly answer: "json" | "bytes" | "none";
  /** Media types in which the answer may come as text instead. */
  readonly textTypes: readonly string[];
}
`;

const indent = (text: string): string => text.replaceAll("\n", "\n  ");

const isEmptyObject = (schema: JsonSchema): boolean => Object.keys(schema.properties ?? {}).length === 0;

function declare(name: string, schema: JsonSchema): string {
  const comment = docComment(schema.description);
  if (schema.type === "object" && schema.properties)
    return `${comment}export interface ${name} ${printMembers(schema)}\n`;
  return `${comment}export type ${name} = ${printType(schema)};\n`;
}

const queryName = ({ id }: Endpoint): string => `${pascalCase(id)}Query`;

const declareQuery = (endpoint: Endpoint, book: SchemaBook): string =>
  endpoint.query ? declare(queryName(endpoint), book.describe(endpoint.query, "input")) : "";

/** The body type of an operation, unless it is the empty object, which need not be sent. */
function findBody({ body }: Endpoint, book: SchemaBook): string | undefined {
  const schema = body && book.describe(body, "input");
  return schema && (schema.$ref !== undefined || !isEmptyObject(schema)) ? printType(schema) : undefined;
}

function describeOperation(endpoint: Endpoint, book: SchemaBook): string {
  const body = findBody(endpoint, book);
  const input = [
    endpoint.params && `readonly params: ${printMembers(book.describe(endpoint.params, "input"))};`,
    endpoint.query && `readonly query?: ${queryName(endpoint)} | undefined;`,
    body && `readonly body${endpoint.bodyOptional ? "?" : ""}: ${body};`,
    endpoint.idempotencyKey && "readonly idempotencyKey?: string | undefined;",
    endpoint.ifMatch && "/** A version, or an entity tag as it stands in the header. */",
    endpoint.ifMatch && "readonly ifMatch?: number | string | undefined;",
  ].filter((line) => typeof line === "string");
  const json = endpoint.response && printType(book.describe(endpoint.response, "output"));
  const output = json && endpoint.textTypes ? `${json} | string` : json;
  const lines = [
    `readonly input: ${input.length > 0 ? `{${indent(`\n${input.join("\n")}`)}\n}` : "Record<never, never>"};`,
    `readonly output: ${output ?? (endpoint.binary ? "Uint8Array" : "undefined")};`,
  ];
  return `${docComment(endpoint.summary)}readonly ${propertyName(endpoint.id)}: {${indent(`\n${lines.join("\n")}`)}\n};`;
}

const answerOf = ({ response, binary }: Endpoint) => (response ? "json" : binary ? "bytes" : "none");

const printValue = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]` : JSON.stringify(value);

function routeOf(endpoint: Endpoint, book: SchemaBook): string {
  const route = {
    method: endpoint.method,
    path: endpoint.path,
    params: Object.keys(endpoint.params?.shape ?? {}),
    query: Object.keys(endpoint.query?.shape ?? {}),
    mediaType: findBody(endpoint, book) === undefined ? null : mediaTypesOf(endpoint)[0],
    idempotencyKey: endpoint.idempotencyKey === true,
    ifMatch: endpoint.ifMatch === true,
    answer: answerOf(endpoint),
    textTypes: endpoint.textTypes ?? [],
  };
  const members = Object.entries(route).map(([name, value]) => `${name}: ${printValue(value)},`);
  return `${propertyName(endpoint.id)}: {${indent(`\n${members.join("\n")}`)}\n},`;
}

function printDetails(code: ErrorCode, book: SchemaBook): string {
  const details = findDetails(code, book);
  if (!details) return "undefined";
  return details.required ? printType(details.schema) : `${printType(details.schema)} | undefined`;
}

function describeEvents(book: SchemaBook): string[] {
  return Object.entries(webhookEvents).map(([event, { summary, payload }]) => {
    const type = book.define(`${pascalCase(event)}Event`, book.describe(payload, "output"));
    return `${docComment(summary)}readonly ${propertyName(event)}: ${printType(type)};`;
  });
}

const block = (head: string, lines: readonly string[], tail: string): string =>
  `${head} {${indent(`\n${lines.join("\n")}`)}\n}${tail}\n`;

/** The source of `src/generated.ts`: types of everything sent and received, and the table of operations. */
export function sdkSource(endpoints: readonly Endpoint[] = releasedEndpoints): string {
  const book = schemaBook();
  const queries = endpoints.map((endpoint) => declareQuery(endpoint, book)).filter((text) => text !== "");
  const operations = endpoints.map((endpoint) => describeOperation(endpoint, book));
  const events = describeEvents(book);
  const details = errorCodes.map((code) => `readonly ${code}: ${printDetails(code, book)};`);
  return [
    HEAD,
    ...Object.entries(book.schemas()).map(([name, schema]) => declare(name, schema)),
    ...queries,
    block("/** What `details` holds for each error code. */\nexport interface KurzErrorDetails", details, ""),
    block("/** What each kind of webhook event brings. */\nexport interface WebhookEvents", events, ""),
    "export type WebhookEvent = WebhookEvents[keyof WebhookEvents];\n",
    block("/** What each operation takes and gives. */\nexport interface Operations", operations, ""),
    "export type OperationId = keyof Operations;\n",
    block(
      "export const operations: Readonly<Record<OperationId, OperationRoute>> =",
      endpoints.map((endpoint) => routeOf(endpoint, book)),
      ";",
    ),
  ]
    .join("\n")
    .replace(/ +$/gm, "");
}
