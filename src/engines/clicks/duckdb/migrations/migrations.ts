import { statfsSync, statSync } from "node:fs";
import { ClicksUnavailable } from "../../clicks-engine.ts";
import { CLICKS_VERSION } from "../../clicks-version.ts";
import { createTables, findVersion } from "../schema.ts";
import type { Session } from "../session.ts";
import { importedCountsMigration } from "./imported-counts.ts";
import { leadTextsMigration } from "./lead-texts.ts";
import type { Migration, MigrationProgress } from "./migration.ts";
import { shapesMigration } from "./shapes.ts";

/** In order; a file is brought to the last version when it is opened. */
export const migrations: readonly Migration[] = [shapesMigration, leadTextsMigration, importedCountsMigration];

export interface MigrationWatch {
  /** Called before each migration, around `onMigration`, and after each of its steps; if it throws, the migration pauses there. */
  readonly onProgress: (progress: MigrationProgress) => void;
  readonly onMigration?: OnMigration | undefined;
  /** About how many rows to migrate at a time. */
  readonly stepRows?: number | undefined;
}

/** Called before and after each migration, which waits for it, with the number of rows. */
export type OnMigration = (
  state: "begins" | "continues" | "ended",
  version: number,
  rows: number,
) => void | Promise<void>;

// A step of this size takes about half a second, which is what an interruption costs at most.
const STEP_ROWS = 500_000;

/** Creates the tables in a new file, and migrates an old one. */
export async function prepareSchema(session: Session, path: string, watch?: MigrationWatch): Promise<void> {
  const { onProgress = () => {}, onMigration, stepRows = STEP_ROWS } = watch ?? {};
  const version = await findVersion(session);
  if (version === null) {
    await createTables(session, CLICKS_VERSION);
    return;
  }
  refuseLater(version);
  for (const migration of migrations) {
    const isUnfinished = migration.version <= version && (await migration.isUnfinished(session));
    if (migration.version <= version && !isUnfinished) continue;
    const progress = await migration.count(session);
    onProgress(progress);
    assertRoom(path, progress);
    await onMigration?.(isUnfinished ? "continues" : "begins", migration.version, progress.total);
    // It may have been suspended meanwhile.
    onProgress(progress);
    await migration.run(session, { onProgress, stepRows });
    await session.run("force checkpoint");
    await onMigration?.("ended", migration.version, progress.total);
  }
}

/** Whether nothing is left to be migrated. */
export async function isUpToDate(session: Session): Promise<boolean> {
  if ((await findVersion(session)) !== CLICKS_VERSION) return false;
  for (const { isUnfinished } of migrations) if (await isUnfinished(session)) return false;
  return true;
}

export function refuseLater(version: number): void {
  if (version <= CLICKS_VERSION) return;
  throw new Error(`the clicks file has version ${version}, this release knows ${CLICKS_VERSION}: it was written later`);
}

const ROOM_SHARE = 1.25;
const ROOM_BYTES_MIN = 16 * 1024 * 1024;

/**
 * A migration writes everything once more before the old rows go, and DuckDB doesn't give back what a failed one took: it
 * would leave a full disk behind.
 */
function assertRoom(path: string, { done, total }: MigrationProgress): void {
  const left = total === 0 ? 0 : (total - done) / total;
  const needed = statSync(path).size * ROOM_SHARE * left + ROOM_BYTES_MIN;
  const { bavail, bsize } = statfsSync(path);
  const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;
  if (bavail * bsize < needed) {
    throw new ClicksUnavailable(
      `${path} has to be migrated, which needs ${megabytes(needed)} of free disk space; there are ` +
        `${megabytes(bavail * bsize)}`,
    );
  }
}
