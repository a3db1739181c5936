import type { z } from "zod";

/** How text becomes a value: one schema per kind, whose messages complete a sentence that starts with a name. */
export type ValueKind<T> = z.ZodType<T, string>;

/** A value that doesn't fit. The message is one line: the name, what is expected, and the value at fault. */
export class BadValue extends Error {}

export function parseValue<T>(name: string, kind: ValueKind<T>, text: string): T {
  const { data, error } = kind.safeParse(text);
  if (!error) return data as T;
  const [{ message = "is not valid", path = [] } = {}] = error.issues;
  throw new BadValue(path.length === 0 ? `${name} ${message}` : `${name}: each entry ${message}`);
}

/** The message of a schema that expects something else; not for secrets, because it repeats the value. */
export const mustBe = (expected: string) => ({
  error: ({ input }: { readonly input?: unknown }) => `must be ${expected}, not ${JSON.stringify(input)}`,
});
