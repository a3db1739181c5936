import { existsSync, readdirSync, statSync } from "node:fs";
import { basename } from "node:path";
import { findSegmentName } from "#clicks/journal/segment-name.ts";
import { type DataPaths, dataPaths } from "#config/data-paths.ts";
import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import { migrateRecords } from "#engines/open-engines.ts";
import type { MigrationReport } from "#engines/records/migration-report.ts";
import { findRecordsFile, type RecordsFile } from "#engines/records/records-file.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { refuseMovedData } from "./moved-data.ts";

/** Migrates the records to the newest schema; creates them if there is no data at all. */
export async function prepareRecords(config: Config): Promise<MigrationReport> {
  refuseMovedData(config);
  const { records: place } = enginePlaces(config);
  const file = findRecordsFile(place);
  if (file === null) return migrateRecords(place);
  try {
    file.undoUnfinished();
    const gap = describeGap(dataPaths(config.dataDir), file);
    if (gap !== null) throw new OperatorMistake(gap);
    return await migrateRecords(place);
  } catch (error) {
    throw file.explainDamage(error);
  }
}

/**
 * Describes the problem if the records are missing beside other data; otherwise null.
 * New records would number their links and accounts from 1 again, and those would show the clicks of the old ones. Every
 * other file is created after the records, so without them each is a leftover.
 */
export function describeGap(paths: DataPaths, file: RecordsFile): string | null {
  const state = findGap(file);
  if (state === null) return null;
  // If the records file has content, the log is from a first start that was killed; its commits have been checked.
  const log = hasContent(file.path) ? [] : [file.logPath];
  const leftovers = [...log, paths.clicks, paths.salts, paths.secretKey].filter(hasContent);
  const names = [...leftovers.map((path) => basename(path)), ...(hasSegments(paths.journal) ? ["journal"] : [])];
  if (names.length === 0) return null;
  return (
    `${file.path} is ${state}, but ${paths.dataDir} still has ${names.join(", ")} from an existing installation; ` +
    "restore a backup, or move these files elsewhere to start a new installation " +
    `("A missing or damaged records file" in docs/operations.md)`
  );
}

function findGap(file: RecordsFile): "missing" | "empty" | null {
  if (!existsSync(file.path)) return "missing";
  return statSync(file.path).size === 0 || file.schemaVersion() === 0 ? "empty" : null;
}

const hasContent = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;

const hasSegments = (journal: string): boolean =>
  existsSync(journal) && readdirSync(journal).some((name) => findSegmentName(name) !== undefined);
