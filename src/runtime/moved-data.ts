import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type DataPaths, dataPaths } from "#config/data-paths.ts";
import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import { replaceDurably } from "#engines/durable-files.ts";
import { readInstallation } from "#engines/open-engines.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";

/** What the last move from a data directory has done. */
export interface MoveNote {
  readonly installation: string;
  readonly moved_at: string;
  /** Where the records are now, without a password. */
  readonly records_to: string;
  /** Where the clicks are now; `null` if they stayed. */
  readonly clicks_to: string | null;
  /** When a server first used them there; `null` while the data directory is still the one that counts. */
  readonly used_since: string | null;
}

export function writeMoveNote(paths: Pick<DataPaths, "moved">, note: MoveNote): void {
  const draft = `${paths.moved}.new`;
  writeFileSync(draft, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 });
  replaceDurably(draft, paths.moved);
}

const readMoveNote = ({ moved }: Pick<DataPaths, "moved">): MoveNote | null =>
  existsSync(moved) ? (JSON.parse(readFileSync(moved, "utf8")) as MoveNote) : null;

/** Called by a server whose records are on a server: from then on, what is left in the data directory is outdated. */
export async function noteSwitch(config: Config): Promise<void> {
  const paths = dataPaths(config.dataDir);
  const note = readMoveNote(paths);
  if (note === null || note.used_since !== null || config.databaseUrl === null) return;
  if ((await readInstallation(enginePlaces(config).records)) !== note.installation) return;
  writeMoveNote(paths, { ...note, used_since: new Date().toISOString() });
}

/** A setting that got lost must not bring back old data: it would take new links and clicks, and the others lack them. */
export function refuseMovedData(config: Pick<Config, "dataDir" | "databaseUrl" | "clickhouseUrl">): void {
  const paths = dataPaths(config.dataDir);
  const note = readMoveNote(paths);
  if (note === null || note.used_since === null) return;
  const since = `and a server has used them there since ${note.used_since}`;
  const wayOut = `or, to give up what has changed there since, delete ${paths.moved}`;
  if (config.databaseUrl === null) {
    const both = note.clicks_to === null ? "DATABASE_URL" : "DATABASE_URL and CLICKHOUSE_URL";
    throw new OperatorMistake(
      `the records in ${paths.dataDir} were moved to ${note.records_to}, ${since}; set ${both}, ${wayOut}`,
    );
  }
  if (note.clicks_to !== null && config.clickhouseUrl === null) {
    throw new OperatorMistake(
      `the clicks in ${paths.dataDir} were moved to ${note.clicks_to}, ${since}; set CLICKHOUSE_URL, ${wayOut}`,
    );
  }
}
