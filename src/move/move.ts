import type { DataPaths } from "#config/data-paths.ts";
import type { ClicksMove } from "#engines/clicks/move/clicks-move.ts";
import {
  moveClicks,
  moveRecords,
  nameClicksServer,
  planClicksMove,
  planRecordsMove,
  readInstallation,
} from "#engines/open-engines.ts";
import type { RecordsMove } from "#engines/records/move/records-move.ts";
import { assertDataExists } from "#runtime/data-directory.ts";
import { type DataLock, findLockHolder, lockDataDirectory } from "#runtime/data-lock.ts";
import { lowerPriority } from "#runtime/lower-priority.ts";
import { writeMoveNote } from "#runtime/moved-data.ts";
import { readNodeName } from "#runtime/node-name.ts";
import { moveClicksAlone } from "./move-clicks-alone.ts";
import { findMovePlaces, type RecordsMovePlaces, refuseOtherKey } from "./move-places.ts";
import { type Moved, type MoveOptions, withoutChecksum } from "./moved.ts";

// When CPU is short, the server comes first.
const NICENESS = 10;

/** Copies what a deployment has in its data directory and gets a server for: records, clicks, or both. */
export async function moveDeployment(options: MoveOptions): Promise<Moved> {
  const { config, paths, target } = options;
  assertDataExists(config);
  const places = findMovePlaces(config, target);
  refuseOtherKey(config, paths, target);
  return places.what === "records" ? moveWithRecords(options, places) : moveClicksAlone(options, places);
}

async function moveWithRecords(options: MoveOptions, { from, to }: RecordsMovePlaces): Promise<Moved> {
  const { paths, target, discards, onProgress, onWait } = options;
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
            onWait,
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
      is_complete: state.is_final,
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

/** Without a server, none may start before everything is copied: its changes would be missing from the last copy. */
function lockUnlessServed(paths: DataPaths): DataLock | null {
  if (findLockHolder(paths)?.purpose === "server") return null;
  return lockDataDirectory(paths, { purpose: "command" });
}
