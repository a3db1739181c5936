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
  /** Where the records are now, without a password; `null` if they were on a server before. */
  readonly records_to: string | null;
  /** Where the clicks are now, or will be; `null` if they stayed. */
  readonly clicks_to: string | null;
  /** Whether all of them are there: a server had them during the last move, or since, if not. */
  readonly clicks_complete: boolean;
  /** When a server or a command first used the records there; `null` while those in the data directory count. */
  readonly used_since: string | null;
  /** The same of the clicks. */
  readonly clicks_used_since: string | null;
}

export function writeMoveNote(paths: Pick<DataPaths, "moved">, note: MoveNote): void {
  const draft = `${paths.moved}.new`;
  writeFileSync(draft, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 });
  replaceDurably(draft, paths.moved);
}

export const readMoveNote = ({ moved }: Pick<DataPaths, "moved">): MoveNote | null =>
  existsSync(moved) ? (JSON.parse(readFileSync(moved, "utf8")) as MoveNote) : null;

/** Called by whoever may change data on a server: from then on, what is left in the data directory is outdated. */
export async function noteSwitch(config: Config): Promise<void> {
  const paths = dataPaths(config.dataDir);
  const note = readMoveNote(paths);
  if (note === null || config.databaseUrl === null) return;
  const isFirstOfRecords = note.records_to !== null && note.used_since === null;
  const isFirstOfClicks = isAwaited(note) && config.clickhouseUrl !== null;
  if (!isFirstOfRecords && !isFirstOfClicks) return;
  if ((await readInstallation(enginePlaces(config).records)) !== note.installation) return;
  const now = new Date().toISOString();
  writeMoveNote(paths, {
    ...note,
    ...(isFirstOfRecords && { used_since: now }),
    ...(isFirstOfClicks && { clicks_used_since: now }),
  });
}

/** Called by a server: if clicks were copied, it goes on adding to the file, and the copy lacks what it adds. */
export function noteFurtherClicks(config: Pick<Config, "dataDir" | "clickhouseUrl">): void {
  const paths = dataPaths(config.dataDir);
  const note = readMoveNote(paths);
  if (note === null || !isAwaited(note) || !note.clicks_complete || config.clickhouseUrl !== null) return;
  writeMoveNote(paths, { ...note, clicks_complete: false });
}

/** Whether clicks were moved and nobody uses them there yet. */
const isAwaited = ({ clicks_to, clicks_used_since }: MoveNote): boolean =>
  clicks_to !== null && clicks_used_since === null;

/** A setting that got lost must not bring back old data: it would take new links and clicks, and the others lack them. */
export function refuseMovedData(config: Pick<Config, "dataDir" | "databaseUrl" | "clickhouseUrl">): void {
  const paths = dataPaths(config.dataDir);
  const note = readMoveNote(paths);
  if (note === null) return;
  const isBeforeSwitch = note.records_to !== null && note.used_since === null;
  const problem =
    findMissingClicks(note, config, paths) ??
    (isBeforeSwitch ? findHalfSwitch(note, config) : findWayBack(note, config, paths));
  if (problem !== null) throw new OperatorMistake(`the ${problem.what} in ${paths.dataDir} ${problem.how}`);
}

type Servers = Pick<Config, "databaseUrl" | "clickhouseUrl">;

interface Problem {
  readonly what: "records" | "clicks";
  readonly how: string;
}

/** The first start with a server for clicks would leave those behind that were never copied to it. */
function findMissingClicks(note: MoveNote, servers: Servers, { moved }: DataPaths): Problem | null {
  if (!isAwaited(note) || note.clicks_complete) return null;
  if (servers.databaseUrl === null || servers.clickhouseUrl === null) return null;
  const why = "because a server was running during the last move, or since";
  const wayOut = `or, to leave them behind, delete ${moved}`;
  const how = `aren't all in ${note.clicks_to}, ${why}; run kurz move again while no server is running, ${wayOut}`;
  return { what: "clicks", how };
}

/** The first start would use one of two that were moved together, and the other one would lack what happens meanwhile. */
function findHalfSwitch(note: MoveNote, { databaseUrl, clickhouseUrl }: Servers): Problem | null {
  if (note.clicks_to === null || (databaseUrl === null) === (clickhouseUrl === null)) return null;
  if (clickhouseUrl === null) {
    const wayOut =
      "to keep clicks in the data directory, run kurz move again with a file that doesn't set CLICKHOUSE_URL";
    const how = `${note.clicks_to}, along with the records, but CLICKHOUSE_URL isn't set; set it, or, ${wayOut}`;
    return { what: "clicks", how: `were moved to ${how}` };
  }
  const wayOut = "to go on as before the move, unset CLICKHOUSE_URL";
  const how = `${note.records_to}, along with the clicks, but DATABASE_URL isn't set; set it, or, ${wayOut}`;
  return { what: "records", how: `were moved to ${how}` };
}

function findWayBack(note: MoveNote, { databaseUrl, clickhouseUrl }: Servers, { moved }: DataPaths): Problem | null {
  const movedTo = (place: string, since: string, missing: string): string =>
    `were moved to ${place}, and have been used there since ${since}; set ${missing}, ` +
    `or, to give up what has changed there since, delete ${moved}`;
  const { records_to, used_since, clicks_to, clicks_used_since } = note;
  if (databaseUrl === null && records_to !== null && used_since !== null) {
    const missing = clicks_used_since === null ? "DATABASE_URL" : "DATABASE_URL and CLICKHOUSE_URL";
    return { what: "records", how: movedTo(records_to, used_since, missing) };
  }
  if (clicks_to === null || clicks_used_since === null || clickhouseUrl !== null) return null;
  return { what: "clicks", how: movedTo(clicks_to, clicks_used_since, "CLICKHOUSE_URL") };
}
