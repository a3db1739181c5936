import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { BUILT_LIBRARY } from "../src/mcp/load-library.ts";

// One file of what the server needs of the protocol's library: with all it can do, it would be the largest dependency
// after the engines.
const built = String(BUILT_LIBRARY);
const { success, logs } = await Bun.build({
  entrypoints: [join(import.meta.dir, "..", "src", "mcp", "library.ts")],
  outdir: dirname(built),
  target: "bun",
  minify: true,
  external: ["zod", "zod/*"],
});
if (!success) throw new AggregateError(logs, "the library for tools could not be built");
process.stderr.write(`library for tools built: ${Math.round(statSync(built).size / 1000)} kB\n`);
