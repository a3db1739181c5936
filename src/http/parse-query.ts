import type { z } from "zod";
import type { FieldError } from "#contract/errors.ts";
import { ApiError } from "#kernel/api-error.ts";
import { fieldErrors } from "#shared/field-errors.ts";
import { withMeantFields } from "./meant-field.ts";
import type { Route } from "./route.ts";

type Shape = z.ZodObject["shape"];

/** Parses a query string by its schema: names may repeat only for arrays; numbers and booleans are converted. */
export function parseQuery(
  schema: z.ZodObject | undefined,
  rawQuery: string,
  checkQuery: Route["checkQuery"],
): { value: unknown; errors: FieldError[] } {
  const shape: Shape = schema?.shape ?? {};
  const errors: FieldError[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, texts] of readPairs(rawQuery)) {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const problem = (code: FieldError["code"], message: string) =>
      errors.push({ location: "query", field: name, code, message });
    if (!field) problem("unknown_field", "There is no such parameter.");
    else if (typeOf(field) === "array") values[name] = texts;
    else if (texts.length > 1) problem("duplicate_parameter", "This parameter can only be given once.");
    else values[name] = convert(typeOf(field), texts[0] ?? "");
  }
  if (!schema) return { value: undefined, errors };
  const parsed = schema.safeParse(values);
  if (!parsed.success) errors.push(...fieldErrors("query", parsed.error.issues, values));
  if (errors.length > 0 && checkQuery) errors.push(...checkOthers(schema, values, errors, checkQuery));
  return { value: parsed.data, errors: withMeantFields(schema, errors) };
}

/** Applies the route's rules to the parameters that are valid so far. */
function checkOthers(
  schema: z.ZodObject,
  values: Readonly<Record<string, unknown>>,
  errors: readonly FieldError[],
  checkQuery: NonNullable<Route["checkQuery"]>,
): FieldError[] {
  const wrong = new Set(errors.map(({ field }) => field.split(".", 1)[0]));
  const others = schema.safeParse(Object.fromEntries(Object.entries(values).filter(([name]) => !wrong.has(name))));
  return others.success ? checkQuery(others.data as never).filter(({ field }) => !wrong.has(field)) : [];
}

function readPairs(rawQuery: string): Map<string, string[]> {
  const pairs = new Map<string, string[]>();
  for (const pair of rawQuery.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? "" : decode(pair.slice(equals + 1));
    const known = pairs.get(name);
    if (known) known.push(value);
    else pairs.set(name, [value]);
  }
  return pairs;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new ApiError("bad_request", "The query string has invalid percent-encoding.");
  }
}

function typeOf(field: z.core.$ZodType): string {
  const { def } = field._zod;
  if (def.type === "default" || def.type === "optional" || def.type === "nullable") {
    return typeOf((def as z.core.$ZodDefaultDef).innerType);
  }
  return def.type;
}

/** Text that doesn't fit the type stays as it is, for the schema to reject. */
function convert(type: string, text: string): unknown {
  // One way to write a number: `05` is more likely a mistake than a five.
  if (type === "number" && /^(?:0|-?[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
