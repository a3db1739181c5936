import type { DataPaths } from "#config/data-paths.ts";
import { findSchemaVersion, NEWEST_SCHEMA } from "#engines/records/schema-version.ts";
import { type Check, ok, problem } from "./check.ts";

export const schemaVersion: Check = {
  name: "schema",
  run({ paths }) {
    const version = findSchemaVersion(paths.records);
    if (version === undefined) return [ok("there are no records yet; the first start makes them")];
    if (version === NEWEST_SCHEMA) return [ok(`version ${version} is current`)];
    if (version < NEWEST_SCHEMA) return [problem(`version ${version} is behind ${NEWEST_SCHEMA}; run kurz migrate`)];
    return [problem(`version ${version} was written by a newer Kurz; this one knows ${NEWEST_SCHEMA}`)];
  },
};

export const hasCurrentSchema = ({ records }: DataPaths): boolean => findSchemaVersion(records) === NEWEST_SCHEMA;
