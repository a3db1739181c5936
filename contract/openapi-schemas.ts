import { z } from "zod";
import { publishedAs } from "./published-as.ts";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A schema can differ for requests (what clients may send) and responses (what they get). */
export type Direction = "input" | "output";

const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[._-])([a-z])/g, (_, letter: string) => letter.toUpperCase());

const SCHEMA_REF = /^#\/components\/schemas\/(\w+)$/;

/** The name of the schema that this one refers to, if it does. */
export const referredName = ({ $ref }: JsonSchema): string | undefined =>
  $ref === undefined ? undefined : SCHEMA_REF.exec($ref)?.[1];

/** A nullable field has its description inside the union. */
export function findDescription(schema: JsonSchema | boolean): string | undefined {
  if (typeof schema === "boolean") return undefined;
  return schema.description ?? schema.anyOf?.map(findDescription).find((description) => description !== undefined);
}

const MILLISECONDS_UTC = "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$";

/** Removes what is noise in the published document, and lets responses gain fields later. */
function tidy(schema: JsonSchema, direction: Direction): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format === "date-time") {
    // zod spells out leap years, which the format implies; only the precision of responses adds to it.
    if (direction === "output") schema.pattern = MILLISECONDS_UTC;
    else delete schema.pattern;
  }
  if (direction === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
}

/** The description is that of the place. */
function replace(schema: JsonSchema, by: JsonSchema): void {
  const { description } = schema;
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, description === undefined ? by : { description, ...by });
}

function publishRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(publishRefs);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string"
        ? inner.replace("#/$defs/", "#/components/schemas/")
        : publishRefs(inner),
    ]),
  );
}

/** Collects the named schemas of a document while its operations are generated. */
export function schemaBook() {
  const named = new Map<string, JsonSchema>();

  function define(name: string, schema: JsonSchema) {
    const known = named.get(name);
    // For example, a default makes a field optional in requests but always present in responses.
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`schema ${name} has two different definitions`);
    }
    named.set(name, schema);
    return schemaRef(name);
  }

  return {
    define,
    /** The JSON Schema of `schema`; nested schemas with an id become references. */
    describe(schema: z.ZodType, direction: Direction): JsonSchema {
      const {
        $schema: _,
        "~standard": __,
        $defs,
        ...root
      } = z.toJSONSchema(schema, {
        target: "draft-2020-12",
        io: direction,
        override: ({ zodSchema, jsonSchema }) => {
          const published = publishedAs.get(zodSchema);
          if (published) replace(jsonSchema, this.describe(published, direction));
          tidy(jsonSchema, direction);
        },
      });
      for (const [name, definition] of Object.entries($defs ?? {})) define(name, publishRefs(definition) as JsonSchema);
      return publishRefs(root) as JsonSchema;
    },
    schemas: (): Record<string, JsonSchema> => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

export type SchemaBook = ReturnType<typeof schemaBook>;
