const NUL = "\u0000";
const REPLACEMENT = "\ufffd";

/**
 * No text in the records contains the NUL character: PostgreSQL can't store it, and SQLite's functions end a text there.
 * On every engine it counts as the replacement character, like the other code points that have no place in UTF-8. So a
 * name with it is found nowhere, and nobody's query fails.
 */
export function storable(parameters: readonly unknown[]): readonly unknown[] {
  for (const value of parameters) if (hasNul(value)) return parameters.map(withoutNul);
  return parameters;
}

const hasNul = (value: unknown): boolean =>
  typeof value === "string" ? value.includes(NUL) : Array.isArray(value) && value.some(hasNul);

const withoutNul = (value: unknown): unknown => {
  if (typeof value === "string") return value.replaceAll(NUL, REPLACEMENT);
  return Array.isArray(value) ? value.map(withoutNul) : value;
};
