import { readFileSync } from "node:fs";
import { readGeoFile } from "#clicks/classify/geo-file.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { parseBlocklist } from "#links/blocklist.ts";
import { loadPlans } from "#plans/plan-catalogue.ts";
import { type Check, ok, problem } from "./check.ts";

/** Always read again: a file that has become invalid would prevent the server's next start. */
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

/** A problem although links work: clicks in the meantime lack region and city forever. */
export const geoFile: Check = {
  name: "geo database",
  async run({ config: { geoMmdb } }) {
    if (geoMmdb === null) return [];
    try {
      await readGeoFile(geoMmdb);
      return [ok(`${geoMmdb} can be read`)];
    } catch (error) {
      return [problem(`KURZ_GEO_MMDB ${geoMmdb}: ${reasonOf(error)}; bundled or earlier data is used for now`)];
    }
  },
};
