import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import { inspectRecords, type RecordsFacts } from "#engines/open-engines.ts";
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
      return [gap === null ? judgeSchema(await inspectRecords(records)) : problem(gap)];
    } catch (error) {
      return [problem(reasonOf(file ? file.explainDamage(error) : error))];
    }
  },
};

function judgeSchema({ schema: version, worksFrom = 0 }: RecordsFacts): Finding {
  if (version === undefined) return ok("there are no records yet; the first start creates them");
  if (version === NEWEST_SCHEMA) return ok(`version ${version} is current`);
  if (version < NEWEST_SCHEMA) return problem(`version ${version} is behind ${NEWEST_SCHEMA}; run kurz migrate`);
  if (worksFrom <= NEWEST_SCHEMA) {
    return ok(`version ${version} is newer than ${NEWEST_SCHEMA}, but this Kurz can use it until it is upgraded, too`);
  }
  return problem(`version ${version} was written by a newer Kurz; this one supports up to ${NEWEST_SCHEMA}`);
}

/** `false` if the records can't be read, which the schema check reports. */
export async function hasUsableSchema(config: Config): Promise<boolean> {
  try {
    const { schema = 0, worksFrom = 0 } = await inspectRecords(enginePlaces(config).records);
    return schema >= NEWEST_SCHEMA && worksFrom <= NEWEST_SCHEMA;
  } catch {
    return false;
  }
}
