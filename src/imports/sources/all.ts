import type { ImportSource } from "../import-source.ts";

/** By the name that commands and requests use. */
export const importSources: Readonly<Record<string, ImportSource>> = {};
