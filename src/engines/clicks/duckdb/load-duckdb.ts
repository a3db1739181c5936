import { prepareLibrary } from "../../own-library.ts";

/** Loaded lazily: the library is large, and many commands don't need it. */
export async function loadDuckDb(): Promise<typeof import("@duckdb/node-api")> {
  await prepareLibrary();
  return import("@duckdb/node-api");
}
