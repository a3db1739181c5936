import { migrations } from "./migrations/all.ts";

/** The version of the schema that this release uses, with every engine. */
export const NEWEST_SCHEMA = migrations.at(-1)?.id ?? 0;
