import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import type { DataPaths } from "#config/data-paths.ts";
import { describeGap } from "./prepare-records.ts";

/** The data directory can't be used; the message says in one line why, and what to do about it. */
export class DataDirectoryProblem extends Error {}

/** Commands work on data that is there: one that began anew in the wrong place would seem to have worked. */
export function assertDataExists(paths: DataPaths): void {
  assertUsable(paths);
  if (existsSync(paths.records)) return;
  throw new DataDirectoryProblem(
    describeGap(paths) ??
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
    if (codeOf(error) === "ENOENT") return;
    throw explainDataFailure(error, dataDir);
  }
  // Root may write anywhere, but the service could not use the files that root would leave behind.
  const owner = [paths.lock, paths.records].map(findOwner).find((uid) => uid !== undefined);
  if (owner !== undefined && process.getuid && owner !== process.getuid()) throw wrongUser(dataDir, owner);
}

/** What the system reports as a code, as a line with a remedy. Anything else is returned as it is. */
export function explainDataFailure(error: unknown, dataDir: string): unknown {
  if (error instanceof DataDirectoryProblem) return error;
  const code = codeOf(error);
  if (code === undefined) return error;
  if (/^(ENOSPC|EDQUOT|SQLITE_FULL)$/.test(code) || (code.startsWith("SQLITE_IOERR") && isFull(dataDir))) {
    return new DataDirectoryProblem(`the disk that holds ${dataDir} is full; free some space on it and try again`);
  }
  if (code === "ENOTDIR" || code === "EEXIST") {
    return new DataDirectoryProblem(
      `${dataDir} is not a directory; set KURZ_DATA_DIR to a directory, or move the file out of the way`,
    );
  }
  if (code === "EROFS") {
    return new DataDirectoryProblem(
      `${dataDir} is on a read-only file system; mount it writable, or set KURZ_DATA_DIR to another directory`,
    );
  }
  if (/^(EACCES|EPERM|SQLITE_CANTOPEN|SQLITE_PERM|SQLITE_READONLY)/.test(code)) return explainRefusal(dataDir, code);
  if (/^E[A-Z]+$/.test(code)) return new DataDirectoryProblem(`the data directory ${dataDir} cannot be used (${code})`);
  return error;
}

/** SQLite does not say why it can't open a file, so the directory is asked. */
function explainRefusal(dataDir: string, code: string): DataDirectoryProblem {
  const owner = findOwner(dataDir);
  if (owner === undefined) {
    const parent = existingParent(dataDir);
    return new DataDirectoryProblem(
      `${dataDir} cannot be opened or created, because the user ${ownName()} may not write to ${parent}; create it as root ` +
        `(install -d -o ${ownName()} -m 700 ${dataDir}), or set KURZ_DATA_DIR to another directory`,
    );
  }
  if (owner !== process.getuid?.()) return wrongUser(dataDir, owner);
  return new DataDirectoryProblem(
    `the data directory ${dataDir} cannot be written (${code}); check its permissions (chmod u+rwx ${dataDir})`,
  );
}

function wrongUser(dataDir: string, owner: number): DataDirectoryProblem {
  const name = nameOf(owner);
  return new DataDirectoryProblem(
    `the data in ${dataDir} belongs to the user ${name}, and this is ${ownName()}; run it as ${name} (sudo -u ${name} …)`,
  );
}

const codeOf = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
};

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
