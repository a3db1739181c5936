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
  /** Whether all of it is there: if not, a server or a command used what is here during the last move, or since. */
  readonly is_complete: boolean;
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

/**
 * Called by whoever may change data. Once that is the copy, what is left in the data directory is outdated; until then, it
 * is the copy that lacks what happens here.
 */
export async function noteUse(config: Config): Promise<void> {
  const paths = dataPaths(config.dataDir);
  const note = readMoveNote(paths);
  if (note === null) return;
  const { records, clicks } = findAwaited(note);
  const isOutdating = (records && config.databaseUrl === null) || (clicks && config.clickhouseUrl === null);
  if (isOutdating) {
    if (note.is_complete) writeMoveNote(paths, { ...note, is_complete: false });
    return;
  }
  if (!(records || clicks) || (await readInstallation(enginePlaces(config).records)) !== note.installation) return;
  const now = new Date().toISOString();
  writeMoveNote(paths, { ...note, ...(records && { used_since: now }), ...(clicks && { clicks_used_since: now }) });
}

/** What was moved and nobody uses there yet. */
const findAwaited = (note: MoveNote): { readonly records: boolean; readonly clicks: boolean } => ({
  records: note.records_to !== null && note.used_since === null,
  clicks: note.clicks_to !== null && note.clicks_used_since === null,
});

/** A setting that got lost must not bring back old data: it would take new links and clicks, and the others lack them. */
export function refuseMovedData(config: Settings): void {
  const paths = dataPaths(config.dataDir);
  const note = readMoveNote(paths);
  if (note === null) return;
  const problem = findAwaited(note).records ? findHalfSwitch(note, config) : findWayBack(note, config, paths);
  if (problem !== null) throw new OperatorMistake(`the ${problem.what} in ${paths.dataDir} ${problem.how}`);
  refuseEarlySwitch(config);
}

/** The first use of a copy that isn't complete would leave the rest behind. */
export function refuseEarlySwitch(config: Settings): void {
  const paths = dataPaths(config.dataDir);
  const note = readMoveNote(paths);
  if (note === null || note.is_complete || config.databaseUrl === null) return;
  const awaited = findAwaited(note);
  const parts = [
    ...(awaited.records
      ? [{ what: "records", to: note.records_to, lost: `what has changed since ${note.moved_at}` }]
      : []),
    ...(awaited.clicks && config.clickhouseUrl !== null
      ? [{ what: "clicks", to: note.clicks_to, lost: "all clicks that weren't copied" }]
      : []),
  ];
  if (parts.length === 0) return;
  const list = (key: "what" | "to" | "lost"): string => parts.map((part) => part[key]).join(" and ");
  throw new OperatorMistake(
    `the ${list("what")} in ${paths.dataDir} aren't all in ${list("to")}, because a server or command used them during ` +
      "the last move, or since; run kurz move again with the old settings while no server is running, or, to give up " +
      `${list("lost")}, delete ${paths.moved}`,
  );
}

type Settings = Pick<Config, "dataDir" | "databaseUrl" | "clickhouseUrl">;
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
