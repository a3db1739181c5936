import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { type ErrorCode, errors } from "#contract/errors.ts";
import { errorEnvelope } from "#contract/openapi-errors.ts";
import { rateLimitHeaders } from "#contract/openapi-headers.ts";
import { type JsonSchema, schemaBook } from "#contract/openapi-schemas.ts";

export interface CheckedResponse {
  readonly method: string;
  /** The request path, with or without its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; `undefined` without a body. */
  readonly body: unknown;
}

interface Reference {
  readonly $ref: string;
}

interface HeaderObject {
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface ResponseObject {
  readonly headers?: Readonly<Record<string, HeaderObject | Reference>>;
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
  };
}

/** Errors that may occur before an operation is found, or if there is none. */
const unroutedCodes: readonly ErrorCode[] = [
  "bad_request",
  "not_found",
  "method_not_allowed",
  "version_retired",
  "uri_too_long",
  "headers_too_large",
  "internal_error",
  "unavailable",
];

/** A copy in which every object allows only declared fields. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== "object" || schema === null) return schema;
  // Ajv derives the discriminator's mapping from the constants, and refuses an explicit one.
  const entries = Object.entries(schema).filter(([key]) => !("propertyName" in schema && key === "mapping"));
  const closed = Object.fromEntries(entries.map(([key, value]) => [key, close(value)]));
  const isOpenObject = "properties" in closed && closed.type === "object" && !("additionalProperties" in closed);
  return isOpenObject ? { ...closed, additionalProperties: false } : closed;
}

const describeError = ({ instancePath, message, params }: ErrorObject): string =>
  `body${instancePath.replaceAll("/", ".")} ${message} ${JSON.stringify(params)}`;

/** Compiles each schema once; `$ref` points into the given components. */
function compiler(schemas: Readonly<Record<string, JsonSchema>>) {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, discriminator: true });
  addFormats(ajv);
  // Destinations are URLs as browsers accept them, a little more than RFC 3986 allows.
  ajv.addFormat("uri", (text) => URL.canParse(text));
  const components = { schemas: close(schemas) };
  ajv.addKeyword("components");
  const compiled = new WeakMap<JsonSchema, ValidateFunction>();
  return (schema: JsonSchema): ValidateFunction => {
    const known = compiled.get(schema);
    if (known) return known;
    const validate = ajv.compile({ ...(close(schema) as JsonSchema), components });
    compiled.set(schema, validate);
    return validate;
  };
}

type Compile = ReturnType<typeof compiler>;

const compilers = new WeakMap<OpenApiDocument, Compile>();

function compilerOf(document: OpenApiDocument): Compile {
  const compile = compilers.get(document) ?? compiler(document.components.schemas);
  compilers.set(document, compile);
  return compile;
}

const lastPart = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf("/") + 1);

/** Literal segments take precedence over `{placeholders}`, from the left, as in every router. */
function findOperation({ paths }: OpenApiDocument, method: string, path: string): Operation | undefined {
  const segments = path.replace(/\?.*$/s, "").split("/");
  const fits = (template: string): boolean => {
    const parts = template.split("/");
    return parts.length === segments.length && parts.every((part, i) => part.startsWith("{") || part === segments[i]);
  };
  const [template] = Object.keys(paths)
    .filter(fits)
    .sort((a, b) => a.split("{").length - b.split("{").length || b.indexOf("{") - a.indexOf("{"));
  return template === undefined ? undefined : paths[template]?.[method === "HEAD" ? "get" : method.toLowerCase()];
}

function checkBody(validate: ValidateFunction, body: unknown): string[] {
  return validate(body) ? [] : (validate.errors ?? []).map(describeError);
}

function checkContent(content: ResponseObject["content"], response: CheckedResponse, compile: Compile): string[] {
  const { method, status, headers, body } = response;
  const hasBody = body !== undefined && body !== "";
  if (!content || method === "HEAD") return hasBody ? [`a body where ${status} has none`] : [];
  const mediaType = headers.get("Content-Type")?.split(";", 1)[0]?.trim() ?? "none";
  const declared = content[mediaType];
  if (!declared) return [`the media type ${mediaType} is not declared for ${status}`];
  return declared.schema ? checkBody(compile(declared.schema), body) : [];
}

function checkHeader(name: string, { required, schema }: HeaderObject, headers: Headers, compile: Compile): string[] {
  const text = headers.get(name);
  if (text === null) return required ? [`the header ${name} is missing`] : [];
  const value = schema.type === "integer" && /^-?\d+$/.test(text) ? Number(text) : text;
  return compile(schema)(value) ? [] : [`the header ${name} is ${JSON.stringify(text)}`];
}

function checkHeaders(
  response: ResponseObject,
  headers: Headers,
  document: OpenApiDocument,
  compile: Compile,
): string[] {
  const problems = Object.entries(response.headers ?? {}).flatMap(([name, given]) => {
    const header = "$ref" in given ? document.components.headers[lastPart(given)] : given;
    return header ? checkHeader(name, header, headers, compile) : [`the header ${name} is declared nowhere`];
  });
  const present = rateLimitHeaders.filter((name) => headers.has(name));
  const isWhole = present.length === 0 || present.length === rateLimitHeaders.length;
  return isWhole ? problems : [...problems, `of the rate-limit headers there are only ${present.join(", ")}`];
}

function checkRequestId({ status, headers, body }: CheckedResponse): string[] {
  if (status < 400 || typeof body !== "object") return [];
  const { error } = (body ?? {}) as { readonly error?: { readonly request_id?: unknown } };
  return error?.request_id === headers.get("X-Request-Id") ? [] : ["error.request_id is not the header X-Request-Id"];
}

const unroutedBodies = new Map<number, ValidateFunction>();

function unroutedBody(status: number, codes: readonly ErrorCode[]): ValidateFunction {
  const known = unroutedBodies.get(status);
  if (known) return known;
  const book = schemaBook();
  const envelope = errorEnvelope(codes, book);
  const validate = compiler(book.schemas())(envelope);
  unroutedBodies.set(status, validate);
  return validate;
}

function checkUnrouted({ status, headers, body }: CheckedResponse): string[] {
  const codes = unroutedCodes.filter((code) => errors[code].status === status);
  if (codes.length === 0) return ["the operation is not declared"];
  const idProblems = headers.has("X-Request-Id") ? [] : ["the header X-Request-Id is missing"];
  return [...idProblems, ...checkBody(unroutedBody(status, codes), body)];
}

/** Every difference between a response and the document. */
export function checkAnswer(document: object, response: CheckedResponse): string[] {
  const openApi = document as OpenApiDocument;
  const { method, path, status, headers } = response;
  const operation = findOperation(openApi, method, path);
  const problems = (): string[] => {
    if (!operation) return checkUnrouted(response);
    const given = operation.responses[status];
    const declared = given && "$ref" in given ? openApi.components.responses[lastPart(given)] : given;
    if (!declared) return [`the status ${status} is not declared`];
    const compile = compilerOf(openApi);
    return [...checkHeaders(declared, headers, openApi, compile), ...checkContent(declared.content, response, compile)];
  };
  return [...problems(), ...checkRequestId(response)].map((problem) => `${method} ${path} → ${status}: ${problem}`);
}
