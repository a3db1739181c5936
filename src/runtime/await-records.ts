import { dataPaths } from "#config/data-paths.ts";
import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import { findCopyProblem } from "#engines/open-engines.ts";
import { isShared } from "#engines/places.ts";
import { RecordsUnavailable } from "#engines/records/records.ts";
import { logEvent } from "./log.ts";
import { prepareRecords } from "./prepare-records.ts";
import { assertSecretKey } from "./secret-key.ts";
import { hasSnapshot } from "./snapshot-files.ts";

/**
 * Prepares the records, and returns whether they are there. A node that has served links before starts without its
 * server for records, and redirects the links it knows; any other start without it is most likely a wrong setting.
 */
export async function prepareOrAwaitRecords(config: Config): Promise<boolean> {
  try {
    await prepareRecords(config);
    await assertSecretKey(config);
    return true;
  } catch (error) {
    const isAway = error instanceof RecordsUnavailable && isShared(enginePlaces(config).records);
    if (isAway && hasSnapshot(dataPaths(config.dataDir))) return false;
    throw error;
  }
}

/** `undefined` if the server for records goes away meanwhile: for what a start can do without. */
export async function unlessAway<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RecordsUnavailable) return undefined;
    throw error;
  }
}

/** Without its copy a server just works harder, which nobody would notice otherwise. */
export async function reportCopyProblem(config: Config): Promise<void> {
  const problem = await unlessAway(() => findCopyProblem(enginePlaces(config).records));
  if (typeof problem === "string")
    logEvent("warn", "the replica can't be used; links are looked up in the database itself", { problem });
}
