import { existsSync, readFileSync } from "node:fs";
import { type DataPaths, dataPaths } from "#config/data-paths.ts";
import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import type { ClicksMove, ClicksMoveProgress } from "#engines/clicks/move/clicks-move.ts";
import {
  moveClicks,
  moveRecords,
  nameClicksServer,
  planClicksMove,
  planRecordsMove,
  readInstallation,
} from "#engines/open-engines.ts";
import type {
  ClicksFilePlace,
  ClicksPlace,
  RecordsFilePlace,
  RecordsPlace,
  RecordsServerPlace,
} from "#engines/places.ts";
import type { MoveProgress, RecordsMove } from "#engines/records/move/records-move.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { assertDataExists } from "#runtime/data-directory.ts";
import { type DataLock, findLockHolder, lockDataDirectory } from "#runtime/data-lock.ts";
import { lowerPriority } from "#runtime/lower-priority.ts";
import { writeMoveNote } from "#runtime/moved-data.ts";
import { readNodeName } from "#runtime/node-name.ts";

export interface MoveOptions {
  /** Of the deployment whose data is moved. */
  readonly config: Config;
  readonly paths: DataPaths;
  /** Of the deployment that it is moved to. */
  readonly target: Config;
  readonly discards: boolean;
  readonly isDryRun: boolean;
  readonly onProgress: (part: "records" | "clicks", progress: MoveProgress | ClicksMoveProgress) => void;
}

interface MovedRows {
  readonly name: string;
  readonly rows: number;
  readonly sha256: string | null;
}

export interface Moved {
  /** Where the records are now, without a password; or would be. */
  readonly to: string;
  /** As of when they were copied. */
  readonly taken_at: string;
  /** Whether no server can have changed anything since. */
  readonly is_final: boolean;
  readonly is_dry_run: boolean;
  readonly tables: readonly MovedRows[];
  readonly texts_with_nul: number;
  /** Where the clicks stay, and the server must find them; `null` if the new settings name a server for them. */
  readonly clicks_in: string | null;
  /** The clicks on their server; `null` if they stay, or while a server has their file. */
  readonly clicks: { readonly to: string; readonly tables: readonly MovedRows[] } | null;
}

// When CPU is short, the server comes first.
const NICENESS = 10;

/** Copies a deployment's records, and its clicks if they get a server, from its data directory. */
export async function moveDeployment(options: MoveOptions): Promise<Moved> {
  const { config, paths, target, discards, onProgress } = options;
  assertDataExists(config);
  const { from, to } = placesOf(options);
  refuseOtherKey(config, paths, target);
  const lock = lockUnlessServed(paths);
  try {
    if (lock === null) lowerPriority(NICENESS);
    const state = {
      taken_at: new Date().toISOString(),
      is_final: lock !== null,
      clicks_in: "url" in to.clicks ? null : paths.dataDir,
    };
    const records: RecordsMove = {
      from: from.records,
      to: to.records,
      discards,
      onProgress: (progress) => onProgress("records", progress),
    };
    const installation = await readInstallation(from.records);
    // A running server has the file of the clicks to itself.
    const clicks: ClicksMove | null =
      lock === null || !("url" in to.clicks)
        ? null
        : {
            from: from.clicks,
            to: to.clicks,
            installation,
            discards,
            onProgress: (progress) => onProgress("clicks", progress),
          };
    const plan = await planRecordsMove(records);
    const clicksPlan = clicks && (await planClicksMove(clicks));
    const recordsTo = plan.target.name;
    const clicksTo = "url" in to.clicks ? await nameClicksServer(to.clicks) : null;
    if (options.isDryRun) {
      return {
        to: recordsTo,
        ...state,
        is_dry_run: true,
        texts_with_nul: 0,
        tables: plan.tables.map(withoutChecksum),
        clicks: clicksPlan && { to: clicksPlan.target.name, tables: clicksPlan.tables.map(withoutChecksum) },
      };
    }
    // First the clicks: without their records, nobody uses them.
    const movedClicks = clicks && (await moveClicks(clicks, readNodeName(target)));
    const { tables, textsWithNul } = await moveRecords(records);
    writeMoveNote(paths, {
      installation,
      moved_at: state.taken_at,
      records_to: recordsTo,
      clicks_to: clicksTo,
      clicks_complete: movedClicks !== null,
      used_since: null,
      clicks_used_since: null,
    });
    return {
      to: recordsTo,
      ...state,
      is_dry_run: false,
      tables,
      texts_with_nul: textsWithNul,
      clicks: movedClicks && clicksTo !== null ? { to: clicksTo, tables: movedClicks.tables } : null,
    };
  } finally {
    lock?.release();
  }
}

const withoutChecksum = (table: { readonly name: string; readonly rows: number }): MovedRows => ({
  ...table,
  sha256: null,
});

/** Without a server, none may start before everything is copied: its changes would be missing from the last copy. */
function lockUnlessServed(paths: DataPaths): DataLock | null {
  if (findLockHolder(paths)?.purpose === "server") return null;
  return lockDataDirectory(paths, { purpose: "command" });
}

interface MovePlaces {
  readonly from: { readonly records: RecordsFilePlace; readonly clicks: ClicksFilePlace };
  readonly to: { readonly records: RecordsServerPlace; readonly clicks: ClicksPlace };
}

function placesOf({ config, target }: MoveOptions): MovePlaces {
  if (config.demo || target.demo)
    throw new OperatorMistake("a demo can't be moved: it deletes its data from time to time");
  const from: { records: RecordsPlace; clicks: ClicksPlace } = enginePlaces(config);
  const to: { records: RecordsPlace; clicks: ClicksPlace } = enginePlaces(target);
  if ("url" in from.records || "url" in from.clicks) {
    throw new OperatorMistake(
      "the data to move must be in the data directory: unset DATABASE_URL and CLICKHOUSE_URL, and put them into the file of --to",
    );
  }
  if (!("url" in to.records)) {
    throw new OperatorMistake("the file of --to doesn't set DATABASE_URL, so there is nowhere to move to");
  }
  if (dataPaths(target.dataDir).clicks !== dataPaths(config.dataDir).clicks) {
    throw new OperatorMistake(
      `the journal ${"url" in to.clicks ? "stays" : "and the clicks stay"} in the data directory ${config.dataDir}, ` +
        `so KURZ_DATA_DIR in the file of --to must be the same, not ${target.dataDir}`,
    );
  }
  return { from: { records: from.records, clicks: from.clicks }, to: { records: to.records, clicks: to.clicks } };
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
