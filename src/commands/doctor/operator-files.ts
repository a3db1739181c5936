import { readFileSync } from "node:fs";
import { readGeoFile } from "#clicks/classify/geo-file.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { parseBlocklist } from "#links/blocklist.ts";
import { loadPlans } from "#plans/plan-catalogue.ts";
import { type Check, ok, problem } from "./check.ts";

/** Read anew, also where a server runs: a file that went bad would stop its next start. */
export const plansFile: Check = {
  name: "plans",
  run({ config }) {
    try {
      const { plans } = loadPlans(config.plansFile, config.defaultPlan);
      return [ok(plans.map(({ id }) => id).join(", "))];
    } catch (error) {
      return [problem(reasonOf(error))];
    }
  },
};

export const blockFile: Check = {
  name: "block file",
  run({ config }) {
    const path = config.blocklistFile;
    if (path === null) return [];
    try {
      return [ok(`${path} has ${parseBlocklist(readFileSync(path, "utf8")).size} entries`)];
    } catch (error) {
      return [problem(`KURZ_BLOCKLIST_FILE ${path}: ${reasonOf(error)}`)];
    }
  },
};

/** Clicks that are made meanwhile lack region and city for good, so this is a problem though links go on. */
export const geoFile: Check = {
  name: "geo database",
  async run({ config: { geoMmdb } }) {
    if (geoMmdb === null) return [];
    try {
      await readGeoFile(geoMmdb);
      return [ok(`${geoMmdb} can be read`)];
    } catch (error) {
      return [problem(`KURZ_GEO_MMDB ${geoMmdb}: ${reasonOf(error)}; bundled or earlier data is used meanwhile`)];
    }
  },
};
