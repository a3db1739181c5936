import { readFileSync } from "node:fs";
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
