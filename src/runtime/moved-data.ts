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
  /** When a server or a command first used them there; `null` while the data directory is still the one that counts. */
  readonly used_since: string | null;
}

export function writeMoveNote(paths: Pick<DataPaths, "moved">, note: MoveNote): void {
  const draft = `${paths.moved}.new`;
  writeFileSync(draft, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 });
  replaceDurably(draft, paths.moved);
}

const readMoveNote = ({ moved }: Pick<DataPaths, "moved">): MoveNote | null =>
  existsSync(moved) ? (JSON.parse(readFileSync(moved, "utf8")) as MoveNote) : null;

/** Called by whoever may change records on a server: from then on, what is left in the data directory is outdated. */
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
  if (note === null) return;
  const problem = note.used_since === null ? findHalfSwitch(note, config) : findWayBack(note, config, paths);
  if (problem !== null)
    throw new OperatorMistake(`the ${problem.what} in ${paths.dataDir} were moved to ${problem.how}`);
}

type Servers = Pick<Config, "databaseUrl" | "clickhouseUrl">;

interface Problem {
  readonly what: "records" | "clicks";
  readonly how: string;
}

/** The first start would use one of two that were moved together, and the other one would lack what happens meanwhile. */
function findHalfSwitch(note: MoveNote, { databaseUrl, clickhouseUrl }: Servers): Problem | null {
  if (note.clicks_to === null || (databaseUrl === null) === (clickhouseUrl === null)) return null;
  if (clickhouseUrl === null) {
    const wayOut =
      "to keep clicks in the data directory, run kurz move again with a file that doesn't set CLICKHOUSE_URL";
    const how = `${note.clicks_to}, along with the records, but CLICKHOUSE_URL isn't set; set it, or, ${wayOut}`;
    return { what: "clicks", how };
  }
  const wayOut = "to go on as before the move, unset CLICKHOUSE_URL";
  const how = `${note.records_to}, along with the clicks, but DATABASE_URL isn't set; set it, or, ${wayOut}`;
  return { what: "records", how };
}

function findWayBack(note: MoveNote, { databaseUrl, clickhouseUrl }: Servers, { moved }: DataPaths): Problem | null {
  const since = `and have been used there since ${note.used_since}`;
  const wayOut = `or, to give up what has changed there since, delete ${moved}`;
  if (databaseUrl === null) {
    const both = note.clicks_to === null ? "DATABASE_URL" : "DATABASE_URL and CLICKHOUSE_URL";
    return { what: "records", how: `${note.records_to}, ${since}; set ${both}, ${wayOut}` };
  }
  if (note.clicks_to === null || clickhouseUrl !== null) return null;
  return { what: "clicks", how: `${note.clicks_to}, ${since}; set CLICKHOUSE_URL, ${wayOut}` };
}
