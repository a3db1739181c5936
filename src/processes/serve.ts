import { Database } from "bun:sqlite";
import { dataPaths } from "#config/data-paths.ts";
import type { Config } from "#config/settings.ts";
import { readBlocklistFile } from "#links/blocklist-file.ts";
import { loadPlans } from "#plans/plan-catalogue.ts";
import { supervise } from "./supervisor.ts";

const FIRST_STEPS = `No account yet. In another terminal:
  npm run -s kurz -- accounts create --email you@example.com --name "My team"   (then type a password)
  npm run -s kurz -- tokens create --account <account id> --name CLI --scopes all`;

/** Checks what only the start can check, and hands over to the supervisor. */
export function serve(config: Config): Promise<number> {
  const paths = dataPaths(config.dataDir);
  return supervise(config, {
    prepare() {
      loadPlans(config.plansFile, config.defaultPlan);
      if (config.blocklistFile !== null) readBlocklistFile(config.blocklistFile);
    },
    hint: () => (hasAccounts(paths.records) ? undefined : FIRST_STEPS),
  });
}

function hasAccounts(path: string): boolean {
  const database = new Database(path, { readonly: true });
  try {
    return database.query("select 1 from accounts limit 1").get() !== null;
  } finally {
    database.close();
  }
}
