import { z } from "zod";

type Body = Readonly<Record<string, unknown>>;

/** JSON values that trip code which uses a value before checking its type. */
export const hostileValues: readonly unknown[] = [
  { length: { toString: 1 } },
  { length: { valueOf: 1, toString: 1 } },
  { length: 1e9 },
  { length: "9" },
  { length: null, 0: "a" },
  { size: { toString: 1 } },
  { toString: 1, valueOf: 1 },
  { toString: null },
  { constructor: { prototype: {} } },
  { constructor: 1, hasOwnProperty: 1 },
  { toJSON: 1 },
  { trim: 1, normalize: 1, split: 1 },
  { map: 1, filter: 1, forEach: 1 },
  {},
  [],
  [[]],
  [{ length: { toString: 1 } }],
  [null],
  [{ toString: 1 }],
  "\u0000",
  "a\u0000b",
  null,
  true,
  -1,
  1e308,
  -0.5,
];

/** Bodies for a schema with each of its fields, at any depth, replaced by each hostile value. */
export function* hostileBodies(schema: z.ZodObject): Generator<Body> {
  const good = sampleOf(schema) as Body;
  for (const path of pathsIn(schema)) for (const value of hostileValues) yield withValue(good, path, value);
}

/** The path of every member in a schema, at any depth, and of the first item of every list. */
function pathsIn(schema: z.core.$ZodType): string[][] {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodObject) {
    return Object.entries(inner.shape).flatMap(([name, member]) => [
      [name],
      ...pathsIn(member).map((rest) => [name, ...rest]),
    ]);
  }
  if (inner instanceof z.ZodArray) return [["0"], ...pathsIn(inner.element).map((rest) => ["0", ...rest])];
  return inner instanceof z.ZodRecord ? [["id"]] : [];
}

function sampleOf(schema: z.core.$ZodType): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodObject) {
    return Object.fromEntries(Object.entries(inner.shape).map(([name, member]) => [name, sampleOf(member)]));
  }
  if (inner instanceof z.ZodArray) return [sampleOf(inner.element)];
  if (inner instanceof z.ZodRecord) return {};
  if (inner instanceof z.ZodEnum) return inner.options[0];
  if (inner instanceof z.ZodNumber) return 1;
  return inner instanceof z.ZodBoolean ? true : "three small grey herons";
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? unwrapped(schema.def.innerType)
    : schema;
}

function withValue(whole: unknown, [first, ...rest]: readonly string[], value: unknown): Body {
  if (first === undefined) return value as Body;
  const parts = whole as Record<string, unknown>;
  const changed = withValue(parts[first], rest, value);
  return (Array.isArray(whole) ? [changed] : { ...parts, [first]: changed }) as Body;
}
