import type { Endpoint } from "#contract/endpoint.ts";
import { releasedEndpoints } from "#contract/index.ts";
import { type JsonSchema, schemaBook } from "#contract/openapi-schemas.ts";
import { type Place, type ToolArgument, toolName } from "./tool-arguments.ts";

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

export interface ObjectSchema {
  readonly type: "object";
  readonly properties: Record<string, Json>;
  readonly required: string[];
  readonly additionalProperties: false;
  readonly [keyword: string]: unknown;
}

interface Part {
  readonly properties: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

const NOTHING: Part = { properties: {} };

const idempotencyKey: Json = {
  type: "string",
  minLength: 1,
  maxLength: 255,
  description: "Any text of your own, to repeat a call safely: within 24 hours, the same key returns the first result.",
};
const ifVersion: Json = {
  type: "integer",
  description: "Change only this `version`: the call fails if someone has changed the object since you read it.",
};

/** All arguments as one object, without references: not every client follows them. */
export function describeInput(endpoint: Endpoint, args: readonly ToolArgument[]): ObjectSchema {
  const book = schemaBook();
  const describe = (schema: Endpoint["body"]): Part => {
    if (!schema) return NOTHING;
    const described = book.describe(schema, "input");
    const named = book.schemas();
    return inline(described.$ref === undefined ? described : named[nameOf(described.$ref)], named) as Part;
  };
  const parts: Readonly<Record<Place, Part>> = {
    path: describe(endpoint.params),
    query: describe(endpoint.query),
    body: describe(endpoint.body),
    "idempotency-key": { properties: { idempotency_key: idempotencyKey } },
    "if-match": { properties: { if_version: ifVersion } },
  };
  const isRequired = ({ place, field }: ToolArgument): boolean => parts[place].required?.includes(field) ?? false;
  return {
    type: "object",
    properties: Object.fromEntries(args.map(({ name, place, field }) => [name, parts[place].properties[field] ?? {}])),
    required: args.filter(isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

/** The tools whose arguments are these objects: many at once would otherwise list them all again. */
const toolsByBody = new Map(releasedEndpoints.map(({ body, id }) => [body?.meta()?.id, toolName(id)]));

/** With each named schema in the place of its name. None of the contract's contains itself. */
function inline(value: unknown, named: Readonly<Record<string, JsonSchema>>): unknown {
  if (Array.isArray(value)) return value.map((item) => inline(item, named));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...own } = value as JsonSchema;
  const name = $ref === undefined ? undefined : nameOf($ref);
  const tool = name === undefined ? undefined : toolsByBody.get(name);
  if (tool !== undefined) return { type: "object", description: `As the arguments of ${tool}.` };
  const whole = { ...(name === undefined ? {} : named[name]), ...own };
  return Object.fromEntries(Object.entries(whole).map(([key, part]) => [key, inline(part, named)]));
}
