import { existsSync, readFileSync } from "node:fs";
import { type DataPaths, dataPaths } from "#config/data-paths.ts";
import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import { moveRecords, planRecordsMove } from "#engines/open-engines.ts";
import type { ClicksPlace, RecordsPlace } from "#engines/places.ts";
import type { MovedTable, MoveProgress, RecordsMove } from "#engines/records/move/records-move.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { assertDataExists } from "#runtime/data-directory.ts";
import { type DataLock, findLockHolder, lockDataDirectory } from "#runtime/data-lock.ts";
import { lowerPriority } from "#runtime/lower-priority.ts";

export interface MoveOptions {
  /** Of the deployment whose data is moved. */
  readonly config: Config;
  readonly paths: DataPaths;
  /** Of the deployment that it is moved to. */
  readonly target: Config;
  readonly discards: boolean;
  readonly isDryRun: boolean;
  readonly onProgress: (progress: MoveProgress) => void;
}

export interface Moved {
  /** Where the records are now, without a password; or would be. */
  readonly to: string;
  /** As of when they were copied. */
  readonly taken_at: string;
  /** Whether no server can have changed anything since. */
  readonly is_final: boolean;
  readonly is_dry_run: boolean;
  readonly tables: readonly (Omit<MovedTable, "sha256"> & { readonly sha256: string | null })[];
  readonly texts_with_nul: number;
  /** Where the clicks stay, and the server must find them. */
  readonly clicks_in: string;
}

// When CPU is short, the server comes first.
const NICENESS = 10;

/** Copies a deployment's records from its data directory to a server. The directory itself isn't changed. */
export async function moveDeployment(options: MoveOptions): Promise<Moved> {
  const { config, paths, target } = options;
  assertDataExists(config);
  const move = { ...placesOf(options), discards: options.discards, onProgress: options.onProgress };
  refuseOtherKey(config, paths, target);
  const lock = lockUnlessServed(paths);
  try {
    if (lock === null) lowerPriority(NICENESS);
    const state = { taken_at: new Date().toISOString(), is_final: lock !== null, clicks_in: paths.dataDir };
    const { target: found, tables: planned } = await planRecordsMove(move);
    if (options.isDryRun) {
      const tables = planned.map((table) => ({ ...table, sha256: null }));
      return { to: found.name, ...state, is_dry_run: true, tables, texts_with_nul: 0 };
    }
    const { tables, textsWithNul } = await moveRecords(move);
    return { to: found.name, ...state, is_dry_run: false, tables, texts_with_nul: textsWithNul };
  } finally {
    lock?.release();
  }
}

/** Without a server, none may start before everything is copied: its changes would be missing from the last copy. */
function lockUnlessServed(paths: DataPaths): DataLock | null {
  if (findLockHolder(paths)?.purpose === "server") return null;
  return lockDataDirectory(paths, { purpose: "command" });
}

function placesOf({ config, target }: MoveOptions): Pick<RecordsMove, "from" | "to"> {
  const [from, to] = [enginePlaces(config), enginePlaces(target)] as { records: RecordsPlace; clicks: ClicksPlace }[];
  if (config.demo || target.demo)
    throw new OperatorMistake("a demo can't be moved: it deletes its data from time to time");
  if (!from || !to || "url" in from.records || "url" in from.clicks) {
    throw new OperatorMistake(
      "the data to move must be in the data directory: unset DATABASE_URL and CLICKHOUSE_URL, and put them into the file of --to",
    );
  }
  if (!("url" in to.records)) {
    throw new OperatorMistake("the file of --to doesn't set DATABASE_URL, so there is nowhere to move to");
  }
  if ("url" in to.clicks) {
    throw new OperatorMistake(
      "clicks can't be moved yet: leave CLICKHOUSE_URL out of the file of --to, and they stay in the data directory",
    );
  }
  if (dataPaths(target.dataDir).clicks !== dataPaths(config.dataDir).clicks) {
    throw new OperatorMistake(
      `the clicks stay in the data directory ${config.dataDir}, so KURZ_DATA_DIR in the file of --to must be the same, not ${target.dataDir}`,
    );
  }
  return { from: from.records, to: to.records };
}

/** With another key nobody could sign in with a second factor, no webhook could be signed, and all sessions would end. */
function refuseOtherKey(config: Config, paths: DataPaths, target: Config): void {
  const isOwn = config.secretKey === null;
  const key = isOwn ? readOwnKey(paths) : config.secretKey;
  if (key === null || key === target.secretKey) return;
  const where = isOwn ? `the content of ${paths.secretKey}` : "the key that the server has now";
  throw new OperatorMistake(
    `KURZ_SECRET_KEY must be ${where} after the move, too: without it, stored secrets can't be decrypted`,
  );
}

const readOwnKey = ({ secretKey }: DataPaths): string | null =>
  existsSync(secretKey) ? readFileSync(secretKey, "utf8").trim() : null;
