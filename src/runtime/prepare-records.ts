import { existsSync, readdirSync, statSync } from "node:fs";
import { basename } from "node:path";
import { findSegmentName } from "#clicks/journal/segment-name.ts";
import type { DataPaths } from "#config/data-paths.ts";
import { explainDamage } from "#engines/records/damage.ts";
import { type MigrationReport, migrateSqlite } from "#engines/records/migrate-sqlite.ts";
import { findSchemaVersion } from "#engines/records/schema-version.ts";
import { openSqlite } from "#engines/records/sqlite-connection.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";

/** Migrates the records to the newest schema; creates them if there is no data at all. */
export function prepareRecords(paths: DataPaths): MigrationReport {
  try {
    undoUnfinished(paths.records);
    const gap = describeGap(paths);
    if (gap !== null) throw new OperatorMistake(gap);
    return migrateSqlite(paths.records);
  } catch (error) {
    throw explainDamage(paths.records, error);
  }
}

/**
 * Describes the problem if the records are missing beside other data; otherwise null.
 * New records would number their links and accounts from 1 again, and those would show the clicks of the old ones. Every
 * other file is created after the records, so without them each is a leftover.
 */
export function describeGap(paths: DataPaths): string | null {
  const state = findGap(paths.records);
  if (state === null) return null;
  // If the records file has content, the log is from a first start that was killed; its commits have been checked.
  const log = hasContent(paths.records) ? [] : [`${paths.records}-wal`];
  const leftovers = [...log, paths.clicks, paths.salts, paths.secretKey].filter(hasContent);
  const names = [...leftovers.map((path) => basename(path)), ...(hasSegments(paths.journal) ? ["journal"] : [])];
  if (names.length === 0) return null;
  return (
    `${paths.records} is ${state}, but ${paths.dataDir} still has ${names.join(", ")} from an existing installation; ` +
    "restore a backup, or move these files elsewhere to start a new installation " +
    `("A missing or damaged records file" in docs/operations.md)`
  );
}

/** After a start that was killed while creating the file: it is unreadable until a writer rolls that back. */
function undoUnfinished(records: string): void {
  if (existsSync(records) && hasContent(`${records}-journal`)) openSqlite({ path: records, readonly: false }).close();
}

function findGap(records: string): "missing" | "empty" | null {
  if (!existsSync(records)) return "missing";
  return statSync(records).size === 0 || findSchemaVersion(records) === 0 ? "empty" : null;
}

const hasContent = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;

const hasSegments = (journal: string): boolean =>
  existsSync(journal) && readdirSync(journal).some((name) => findSegmentName(name) !== undefined);
