import type { z } from "zod";

type Schema = z.core.$ZodType;
type LengthCheck = { when?: (payload: z.core.ParsePayload) => boolean };

const LENGTH_CHECKS: ReadonlySet<string> = new Set(["min_length", "max_length", "length_equals"]);
const seen = new WeakSet<Schema>();

/**
 * Restricts length checks to strings and arrays. Zod measures anything with a `length`, even after it found the type
 * wrong, and throws if that length is an object that can't be compared.
 */
export function limitLengthChecks(schema: Schema): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  const { checks = [], ...parts } = schema._zod.def;
  for (const check of checks) {
    if (LENGTH_CHECKS.has(check._zod.def.check)) {
      (check._zod.def as LengthCheck).when = ({ value }) => typeof value === "string" || Array.isArray(value);
    }
  }
  for (const part of Object.values(parts)) for (const inner of schemasIn(part)) limitLengthChecks(inner);
}

/** The schemas in a part of a definition: itself, in a list (unions, tuples) or by name (objects). */
function schemasIn(part: unknown): Schema[] {
  if (isSchema(part)) return [part];
  return typeof part === "object" && part !== null ? Object.values(part).filter(isSchema) : [];
}

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null && "_zod" in value;
