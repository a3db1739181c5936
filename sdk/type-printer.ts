import { findDescription, type JsonSchema, referredName } from "../contract/openapi-schemas.ts";

const LINE_LENGTH_MAX = 120;

const indent = (text: string): string => text.replaceAll("\n", "\n  ");

export const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

export const docComment = (text: unknown): string =>
  typeof text === "string" ? `/** ${text.replaceAll("*/", "*\\/").replaceAll("\n", " ")} */\n` : "";

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  const line = distinct.join(" | ");
  return line.length < LINE_LENGTH_MAX - 20 || line.includes("\n") ? line : indent(`\n| ${distinct.join("\n| ")}`);
}

const arrayOf = (item: string): string => `readonly ${/[ |]/.test(item) ? `(${item})` : item}[]`;

/** The members of an object type; optional ones may also be `undefined`, which JSON omits. */
export function printMembers(schema: JsonSchema): string {
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const type = printType(property);
    const member = required.has(name)
      ? `${propertyName(name)}: ${type}`
      : `${propertyName(name)}?: ${type} | undefined`;
    return `${docComment(findDescription(property))}readonly ${member};`;
  });
  return members.length > 0 ? `{${indent(`\n${members.join("\n")}`)}\n}` : "Record<string, never>";
}

function printOne(type: unknown, schema: JsonSchema): string {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return arrayOf(printType(schema.items as JsonSchema));
    case "object":
      return typeof schema.additionalProperties === "object"
        ? `Readonly<Record<string, ${printType(schema.additionalProperties)}>>`
        : printMembers(schema);
    default:
      if (Object.keys(schema).every((key) => key === "description")) return "unknown";
      throw new Error(`can't print this schema as TypeScript: ${JSON.stringify(schema)}`);
  }
}

/** Prints a JSON Schema, as far as the contract uses it, as a TypeScript type. */
export function printType(schema: JsonSchema | boolean): string {
  if (typeof schema === "boolean") return schema ? "unknown" : "never";
  if (Object.keys(schema).length === 0) return "unknown";
  const named = referredName(schema);
  if (named !== undefined) return named;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map(printType));
  return union([schema.type].flat().map((type) => printOne(type, schema)));
}
