import { existsSync } from "node:fs";
import { ApiError } from "#kernel/api-error.ts";
import { findInClone } from "#kernel/shipped-files.ts";

export type Library = typeof import("./library.ts");

/** Written by `npm run build`, as the console is. The one-file program contains the library itself. */
export const BUILT_LIBRARY = findInClone("dist/mcp/library.js");

/** Loaded with the first message, so that servers without assistants don't pay for it. */
export async function loadLibrary(): Promise<Library> {
  if (BUILT_LIBRARY !== null && existsSync(BUILT_LIBRARY)) return import(BUILT_LIBRARY);
  return import("./library.ts").catch(() => {
    throw new ApiError("unavailable", "The tools aren't built on this server. The operator can run: npm run build");
  });
}
