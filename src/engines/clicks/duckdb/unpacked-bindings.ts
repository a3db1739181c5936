import { join } from "node:path";
import { preparedLibrary } from "../../own-library.ts";

/** Stands in for `@duckdb/node-bindings` in the one-file program, see `scripts/build-binary.ts`. */
const bindings = { exports: {} };
process.dlopen(bindings, join(preparedLibrary(), "duckdb.node"));

// biome-ignore lint/style/noDefaultExport: that is how the package it stands in for is imported
export default bindings.exports;
