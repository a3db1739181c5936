import { existsSync } from "node:fs";
import type { DataPaths } from "#config/data-paths.ts";
import type { ClicksMove } from "#engines/clicks/move/clicks-move.ts";
import { inspectRecords, moveClicks, planClicksMove, readInstallation } from "#engines/open-engines.ts";
import type { RecordsServerPlace } from "#engines/places.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { findLockHolder, lockDataDirectory } from "#runtime/data-lock.ts";
import { readMoveNote, refuseEarlySwitch, writeMoveNote } from "#runtime/moved-data.ts";
import { readNodeName } from "#runtime/node-name.ts";
import type { ClicksMovePlaces } from "./move-places.ts";
import { type Moved, type MovedClicksPart, type MoveOptions, withoutChecksum } from "./moved.ts";

/** Copies the clicks of a data directory whose records were moved before, or were always on a server. */
export async function moveClicksAlone(options: MoveOptions, places: ClicksMovePlaces): Promise<Moved> {
  const { config, paths, target, discards, isDryRun, onProgress, onWait } = options;
  // Whoever has these settings uses the records on their server.
  refuseEarlySwitch(config);
  refuseWithoutClicks(paths, places.from.path);
  refuseServer(paths);
  const lock = lockDataDirectory(paths, { purpose: "command" });
  try {
    const takenAt = new Date().toISOString();
    const installation = await installationIn(places.records);
    const move: ClicksMove = {
      ...{ from: places.from, to: places.to, installation, discards, onWait },
      onProgress: (progress) => onProgress("clicks", progress),
    };
    const plan = await planClicksMove(move);
    const to = plan.target.name;
    if (isDryRun) return movedOf({ to, tables: plan.tables.map(withoutChecksum) }, takenAt, true);
    const { tables } = await moveClicks(move, readNodeName(target));
    const earlier = readMoveNote(paths);
    const ofRecords = earlier?.installation === installation ? earlier : null;
    const recordsTo = ofRecords?.records_to ?? null;
    writeMoveNote(paths, {
      installation,
      moved_at: takenAt,
      records_to: recordsTo,
      clicks_to: to,
      is_complete: true,
      used_since: recordsTo === null ? null : (ofRecords?.used_since ?? takenAt),
      clicks_used_since: null,
    });
    return movedOf({ to, tables }, takenAt, false);
  } finally {
    lock.release();
  }
}

const movedOf = (clicks: MovedClicksPart, takenAt: string, isDryRun: boolean): Moved => ({
  ...{ to: null, tables: [], texts_with_nul: 0, clicks_in: null, clicks },
  ...{ taken_at: takenAt, is_final: true, is_dry_run: isDryRun },
});

function refuseWithoutClicks({ dataDir }: DataPaths, path: string): void {
  if (existsSync(path)) return;
  throw new OperatorMistake(
    `there are no clicks in ${dataDir}; set KURZ_DATA_DIR to the server's data directory, or, if nobody has clicked yet, ` +
      "just set CLICKHOUSE_URL for the server",
  );
}

/** Unlike the records, clicks can't be read beside a server. */
function refuseServer(paths: DataPaths): void {
  if (findLockHolder(paths)?.purpose !== "server") return;
  throw new OperatorMistake(
    "the server is running and has the clicks to itself; stop it, and move them then. The records are on a server already",
  );
}

async function installationIn(records: RecordsServerPlace): Promise<string> {
  if (((await inspectRecords(records)).schema ?? 0) > 0) return readInstallation(records);
  throw new OperatorMistake(
    "the database at DATABASE_URL has no records; to move those of the data directory, unset DATABASE_URL and put it " +
      "into the file of --to",
  );
}
