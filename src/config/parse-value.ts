interface Fitting<T> {
  readonly success: true;
  readonly data: T;
  readonly error?: undefined;
}

interface Failing {
  readonly success: false;
  readonly data?: undefined;
  readonly error: { readonly issues: readonly { readonly message: string; readonly path: readonly PropertyKey[] }[] };
}

/**
 * How text becomes a value. Messages complete a sentence that starts with a name; those with a path are about one entry.
 * Schemas of zod are such kinds, too.
 */
export interface ValueKind<T> {
  safeParse(text: string): Fitting<T> | Failing;
}

/** A value that doesn't fit. The message is one line: the name, what is expected, and the value at fault. */
export class BadValue extends Error {}

export function parseValue<T>(name: string, kind: ValueKind<T>, text: string): T {
  const parsed = kind.safeParse(text);
  if (parsed.success) return parsed.data;
  const [{ message = "is not valid", path = [] } = {}] = parsed.error.issues;
  throw new BadValue(path.length === 0 ? `${name} ${message}` : `${name}: each entry ${message}`);
}

/** The message of a kind that expects something else; not for secrets, because it repeats the value. */
export const mustBe = (expected: string) => ({
  error: ({ input }: { readonly input?: unknown }) => `must be ${expected}, not ${JSON.stringify(input)}`,
});
