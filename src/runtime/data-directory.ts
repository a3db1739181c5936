import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { type DataPaths, dataPaths } from "#config/data-paths.ts";
import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import { findFileFailure, isEngineCode } from "#engines/file-failure.ts";
import { findRecordsFile } from "#engines/records/records-file.ts";
import { DAMAGED_RECORDS, FULL_DISK, findFailure, findSystemCode, NO_PERMISSION } from "./failure-remedies.ts";
import { describeGap } from "./prepare-records.ts";

/** The data directory can't be used; the message says in one line why, and what to do about it. */
export class DataDirectoryProblem extends Error {}

/** There is nothing in the directory, so it is most likely the wrong one. */
export class NoData extends DataDirectoryProblem {}

/** Commands need existing data: one that created new data in the wrong place would seem to have worked. */
export function assertDataExists(config: Config): void {
  const paths = dataPaths(config.dataDir);
  assertUsable(paths);
  const file = findRecordsFile(enginePlaces(config).records);
  if (file === null || existsSync(file.path)) return;
  const gap = describeGap(paths, file);
  if (gap !== null) throw new DataDirectoryProblem(gap);
  throw new NoData(
    `there is no Kurz data in ${paths.dataDir}; set KURZ_DATA_DIR to the server's data directory, or start the server first`,
  );
}

/** Refuses what is no directory, what this user can't write, and what belongs to another user. */
export function assertUsable(paths: DataPaths): void {
  const { dataDir } = paths;
  try {
    if (!statSync(dataDir).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (findSystemCode(error) === "ENOENT") return;
    throw explainDataFailure(error, dataDir);
  }
  // Root may write anywhere, but the service could not use the files that root would leave behind.
  const owner = [paths.lock, paths.records].map(findOwner).find((uid) => uid !== undefined);
  if (owner !== undefined && process.getuid && owner !== process.getuid()) throw wrongUser(dataDir, owner);
}

/** Turns an error code of the system into one line with a remedy. Any other error is returned as it is. */
export function explainDataFailure(error: unknown, dataDir: string): unknown {
  const code = findSystemCode(error);
  if (error instanceof DataDirectoryProblem || code === undefined) return error;
  const failure = findFileFailure(code) === "disk error" && isFull(dataDir) ? FULL_DISK : findFailure(code);
  if (failure === NO_PERMISSION) return explainRefusal(dataDir, code);
  // It may be another file than the records that is damaged; the code that opens a file names it.
  if (failure === DAMAGED_RECORDS) return error;
  if (failure) return new DataDirectoryProblem(`${failure.problem(dataDir)}; ${failure.remedy}`);
  return isEngineCode(code) ? error : new DataDirectoryProblem(`the data directory ${dataDir} can't be used (${code})`);
}

/** Engines don't say why they can't open a file, so the directory is asked. */
function explainRefusal(dataDir: string, code: string): DataDirectoryProblem {
  const owner = findOwner(dataDir);
  if (owner === undefined) {
    const parent = existingParent(dataDir);
    return new DataDirectoryProblem(
      `${dataDir} can't be opened or created, because the user ${ownName()} may not write to ${parent}; create it as root ` +
        `(install -d -o ${ownName()} -m 700 ${dataDir}), or set KURZ_DATA_DIR to another directory`,
    );
  }
  if (owner !== process.getuid?.()) return wrongUser(dataDir, owner);
  return new DataDirectoryProblem(
    `the data directory ${dataDir} can't be written (${code}); check its permissions (chmod u+rwx ${dataDir})`,
  );
}

function wrongUser(dataDir: string, owner: number): DataDirectoryProblem {
  const name = nameOf(owner);
  return new DataDirectoryProblem(
    `the data in ${dataDir} belongs to the user ${name}, and this is ${ownName()}; run it as ${name} (sudo -u ${name} …)`,
  );
}

function findOwner(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}

function existingParent(path: string): string {
  const parent = dirname(path);
  return parent === path || findOwner(parent) !== undefined ? parent : existingParent(parent);
}

function isFull(path: string): boolean {
  try {
    return statfsSync(path).bavail === 0;
  } catch {
    return false;
  }
}

const ownName = (): string => (process.getuid ? nameOf(process.getuid()) : userInfo().username);

/** Users of a directory service are not in the file; their number will do. */
function nameOf(uid: number): string {
  try {
    const line = readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .find((entry) => entry.split(":")[2] === String(uid));
    return line?.split(":")[0] || `#${uid}`;
  } catch {
    return `#${uid}`;
  }
}
