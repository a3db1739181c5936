import type { DataPaths } from "#config/data-paths.ts";
import { explainDamage } from "#engines/records/damage.ts";
import { findSchemaVersion, NEWEST_SCHEMA } from "#engines/records/schema-version.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { describeGap } from "#runtime/prepare-records.ts";
import { type Check, type Finding, ok, problem } from "./check.ts";

export const schemaVersion: Check = {
  name: "schema",
  run({ paths }) {
    try {
      const gap = describeGap(paths);
      return [gap === null ? judgeSchema(findSchemaVersion(paths.records)) : problem(gap)];
    } catch (error) {
      return [problem(reasonOf(explainDamage(paths.records, error)))];
    }
  },
};

function judgeSchema(version: number | undefined): Finding {
  if (version === undefined) return ok("there are no records yet; the first start creates them");
  if (version === NEWEST_SCHEMA) return ok(`version ${version} is current`);
  if (version < NEWEST_SCHEMA) return problem(`version ${version} is behind ${NEWEST_SCHEMA}; run kurz migrate`);
  return problem(`version ${version} was written by a newer Kurz; this one supports up to ${NEWEST_SCHEMA}`);
}

/** `false` if the file can't be read, which the schema check reports. */
export function hasCurrentSchema({ records }: DataPaths): boolean {
  try {
    return findSchemaVersion(records) === NEWEST_SCHEMA;
  } catch {
    return false;
  }
}
