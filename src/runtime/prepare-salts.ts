import { dayOf, readSaltFile } from "#clicks/visitor/salt-file.ts";
import { keepSalts, keepSharedSalts } from "#clicks/visitor/salts.ts";
import { dataPaths } from "#config/data-paths.ts";
import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import { openCoordination } from "#engines/open-engines.ts";
import { systemClock } from "#kernel/clock.ts";
import { logProblem } from "./problem-log.ts";
import { saltAgreement } from "./salt-loop.ts";
import { readSecretKey } from "./secret-key.ts";

/**
 * Makes a salt for today, if there is none, before redirect processes start: they are ready before control is, and the
 * very first click has a visitor, too. Where it can't be had at once, because a disk or the coordination server is away,
 * the start goes on without: control keeps trying, and says what is wrong.
 */
export async function prepareSalts(config: Config): Promise<void> {
  if (!config.roles.includes("redirect")) return;
  const paths = dataPaths(config.dataDir);
  const now = systemClock();
  try {
    if (readSaltFile(paths.salts).has(dayOf(now))) return;
    if (config.redisUrl === null) return keepSalts(paths.salts, now);
    const coordination = await openCoordination(enginePlaces(config).coordination, {
      secret: readSecretKey(config.secretKey, paths.secretKey),
      onChange() {},
    });
    try {
      await keepSharedSalts(paths.salts, now, saltAgreement(coordination), { mayUseOwn: false });
    } finally {
      await coordination.close();
    }
  } catch (error) {
    logProblem("the salts could not be prepared; visitors are not told apart until control has them", error);
  }
}
