import { existsSync } from "node:fs";
import { join } from "node:path";
import { ApiError } from "#kernel/api-error.ts";

export type Library = typeof import("./library.ts");

/** Written by `npm run build`, as the console is. */
export const BUILT_LIBRARY = join(import.meta.dir, "..", "..", "dist", "mcp", "library.js");

/** Loaded with the first message, so that servers without assistants don't pay for it. */
export async function loadLibrary(): Promise<Library> {
  if (existsSync(BUILT_LIBRARY)) return import(BUILT_LIBRARY);
  return import("./library.ts").catch(() => {
    throw new ApiError("unavailable", "The tools aren't built on this server. The operator can run: npm run build");
  });
}
