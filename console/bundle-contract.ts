import { join } from "node:path";
import type { BunPlugin } from "bun";

const ZOD = join(import.meta.dir, "zod-without-eval.ts");

/**
 * Of an operation, a browser needs only where it is and how it is called. Modules of the contract that define operations
 * are bundled as this data, without their schemas and descriptions, nor the library that makes schemas; whatever else
 * of them the console imports is missing at once, when it is built.
 */
export const bundleContract: BunPlugin = {
  name: "bundle-contract",
  setup(build) {
    build.onResolve({ filter: /^zod$/ }, ({ importer }) => (importer === ZOD ? undefined : { path: ZOD }));
    build.onLoad({ filter: /\/contract\/.+\.ts$/ }, async ({ path }) => {
      const exported = Object.entries<unknown>(await import(path));
      if (!exported.some(([, value]) => isEndpoint(value))) return undefined;
      const kept = exported.flatMap(([name, value]) => {
        const data = isEndpoint(value) ? withoutSchemas(value) : value;
        return isEndpoint(value) || isPlain(data) ? [`export const ${name} = ${JSON.stringify(data)};`] : [];
      });
      return { contents: kept.join("\n"), loader: "js" };
    });
  },
};

interface Call {
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey?: true;
}

const isEndpoint = (value: unknown): value is Call =>
  typeof value === "object" && value !== null && "method" in value && "path" in value;

const withoutSchemas = ({ method, path, idempotencyKey }: Call): Call => ({
  method,
  path,
  ...(idempotencyKey && { idempotencyKey }),
});

/** The same when it is written and read again. */
const isPlain = (value: unknown): boolean => Bun.deepEquals(JSON.parse(JSON.stringify(value) ?? "null"), value, true);
