/** A part of a document with all references resolved, as the renderer asks for it. */
interface Resolved {
  readonly spec: unknown;
  readonly errors: readonly never[];
}

export type ResolveSubtree = (document: object, path: readonly string[]) => Promise<Resolved>;

type Fields = Readonly<Record<string, unknown>>;

/**
 * The renderer's own resolver reads the whole document for each operation that is opened, which takes seconds with one of
 * this size. It also knows other documents and versions; here all references are within the document.
 */
export const resolverOf =
  (address: string): ResolveSubtree =>
  async (document, path) => {
    const resolve = (value: unknown, within: readonly string[] = []): unknown => {
      if (Array.isArray(value)) return value.map((item) => resolve(item, within));
      if (!isObject(value)) return value;
      const { $ref, ...others } = value;
      const own = Object.fromEntries(Object.entries(others).map(([name, field]) => [name, resolve(field, within)]));
      if (typeof $ref !== "string") return own;
      // Recursive.
      if (within.includes($ref)) return { ...own, $ref };
      const target = resolve(find(document, stepsOf($ref)), [...within, $ref]);
      if (!isObject(target)) throw new Error(`${$ref} leads to no object`);
      // The renderer names a schema after its address.
      return { ...target, ...own, $$ref: address + $ref };
    };
    return { spec: resolve(find(document, path)), errors: [] };
  };

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

const find = (document: object, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), document);

/** The names in a pointer such as `#/paths/~1api~1v1~1me`. */
const stepsOf = (pointer: string): string[] =>
  pointer
    .slice("#/".length)
    .split("/")
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
