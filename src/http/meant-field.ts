import type { z } from "zod";
import { FIELD_ERRORS_MAX, type FieldError } from "#contract/errors.ts";
import { findNearest } from "#shared/nearest-word.ts";

type Schema = z.core.$ZodType;
type Def = Schema["_zod"]["def"] & {
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
};

const LENGTH_MIN = 4;
/** A longer name than any field has is no slip of the pen, and comparing it would take time. */
const LENGTH_MAX = 64;

/**
 * Adds the names of the fields that were probably meant to errors about some that don't exist. No more than an answer
 * has, since a body can have thousands, and comparing takes time.
 */
export const withMeantFields = (schema: Schema, errors: readonly FieldError[]): FieldError[] =>
  errors.map((error, index) => (index < FIELD_ERRORS_MAX ? withMeantField(schema, error) : error));

function withMeantField(schema: Schema, error: FieldError): FieldError {
  if (error.code !== "unknown_field") return error;
  const path = error.field.split(".");
  const typed = path.pop() ?? "";
  const meant = typed.length > LENGTH_MAX ? undefined : findMeant(typed, Object.keys(shapeAt(schema, path) ?? {}));
  return meant === undefined ? error : { ...error, message: `${error.message} Did you mean "${meant}"?` };
}

/** Written in another style, a part of a name (`url`), or misspelt. */
function findMeant(typed: string, names: readonly string[]): string | undefined {
  const word = typed
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
  return (
    names.find((name) => name === word) ??
    names.find((name) => name.split("_").includes(word)) ??
    (word.length < LENGTH_MIN ? undefined : findNearest(word, names))
  );
}

/** The fields that an object at this place can have; `undefined` if names there are the sender's own. */
function shapeAt(schema: Schema | undefined, path: readonly string[]): Def["shape"] {
  if (schema === undefined) return undefined;
  const { innerType, element, shape } = schema._zod.def as Def;
  if (innerType) return shapeAt(innerType, path);
  const [first, ...rest] = path;
  if (first === undefined) return shape;
  return shapeAt(element ?? (shape && Object.hasOwn(shape, first) ? shape[first] : undefined), rest);
}
