import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import { inspectRecords } from "#engines/open-engines.ts";
import { NEWEST_SCHEMA } from "#engines/records/newest-schema.ts";
import { findRecordsFile } from "#engines/records/records-file.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { describeGap } from "#runtime/prepare-records.ts";
import { type Check, type Finding, ok, problem } from "./check.ts";

export const schemaVersion: Check = {
  name: "schema",
  async run({ config, paths }) {
    const { records } = enginePlaces(config);
    const file = findRecordsFile(records);
    try {
      const gap = file && describeGap(paths, file);
      return [gap === null ? judgeSchema((await inspectRecords(records)).schema) : problem(gap)];
    } catch (error) {
      return [problem(reasonOf(file ? file.explainDamage(error) : error))];
    }
  },
};

function judgeSchema(version: number | undefined): Finding {
  if (version === undefined) return ok("there are no records yet; the first start creates them");
  if (version === NEWEST_SCHEMA) return ok(`version ${version} is current`);
  if (version < NEWEST_SCHEMA) return problem(`version ${version} is behind ${NEWEST_SCHEMA}; run kurz migrate`);
  return problem(`version ${version} was written by a newer Kurz; this one supports up to ${NEWEST_SCHEMA}`);
}

/** `false` if the records can't be read, which the schema check reports. */
export async function hasCurrentSchema(config: Config): Promise<boolean> {
  try {
    return (await inspectRecords(enginePlaces(config).records)).schema === NEWEST_SCHEMA;
  } catch {
    return false;
  }
}
