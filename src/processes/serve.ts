import { dataPaths } from "#config/data-paths.ts";
import { enginePlaces } from "#config/engine-places.ts";
import { type Config, settings } from "#config/settings.ts";
import { refuseDemoDirectory } from "#demo/demo-directory.ts";
import { findTakeoverProblem, hasUsers } from "#engines/open-engines.ts";
import { isShared } from "#engines/places.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { commandFor } from "#runtime/command-name.ts";
import { forgetSetUpCode, keepSetUpCode } from "#sign-in/set-up-code.ts";
import { findRestartReason } from "#supervision/replaceable.ts";
import { supervise } from "./supervisor.ts";

const firstSteps = (baseUrl: string, code: string, command: string): string =>
  `No account yet. Open this address to make the first one:
  ${baseUrl}/console/setup?code=${code}
Or in another terminal:
  ${command} accounts create --email you@example.com --name "My team"   (then type a password)
  ${command} tokens create --account <account id> --name CLI --scopes all`;

/** Checks what only the start can check, and hands over to the supervisor. */
export function serve(config: Config): Promise<number> {
  const paths = dataPaths(config.dataDir);
  return supervise(config, {
    prepare: () => prepare(config),
    async hint() {
      // Other nodes serve the console.
      if (!config.roles.includes("control")) return undefined;
      const { records } = enginePlaces(config);
      if (!(await hasUsers(records))) {
        const code = keepSetUpCode(paths.setUpCode, isShared(records) ? config.secretKey : null);
        return firstSteps(config.baseUrl, code, commandFor(config.dataDir));
      }
      forgetSetUpCode(paths.setUpCode);
      return undefined;
    },
  });
}

async function prepare(config: Config): Promise<void> {
  refuseDemoDirectory(config.dataDir);
  await checkFiles(config);
}

/**
 * Throws if this program couldn't take over from one that runs with the same settings and writes clicks files of that
 * version.
 */
export async function checkTakeover(config: Config, clicksVersion: number): Promise<void> {
  await prepare(config);
  const problem = findRestartReason(config) ?? (await findTakeoverProblem(enginePlaces(config).records, clicksVersion));
  if (problem) throw new OperatorMistake(problem);
}

/** What reads them is only loaded if there are any: this process stays for as long as the server runs. */
async function checkFiles({ plansFile, defaultPlan, blocklistFile }: Config): Promise<void> {
  if (plansFile !== null || defaultPlan !== settings.defaultPlan.fallback) {
    const { loadPlans } = await import("#plans/plan-catalogue.ts");
    loadPlans(plansFile, defaultPlan);
  }
  if (blocklistFile !== null) {
    const { readBlocklistFile } = await import("#links/blocklist-file.ts");
    readBlocklistFile(blocklistFile);
  }
}
