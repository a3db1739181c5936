import type { ClicksEngine } from "./clicks/clicks-engine.ts";
import type { ClicksFacts } from "./clicks/clicks-facts.ts";
import type { ClicksMove, ClicksMovePlan, MovedClicks } from "./clicks/move/clicks-move.ts";
import type { Coordination } from "./coordination/coordination.ts";
import type { CoordinationFacts } from "./coordination/coordination-facts.ts";
import { prepareLibrary } from "./own-library.ts";
import type { ClicksPlace, ClicksServerPlace, CoordinationPlace, RecordsPlace } from "./places.ts";
import type { KeyFingerprint } from "./records/key-fingerprint.ts";
import type { LinkSnapshot, OtherSnapshots } from "./records/link-snapshot.ts";
import type { MigrationReport } from "./records/migration-report.ts";
import type { MovedRecords, MovePlan, RecordsMove } from "./records/move/records-move.ts";
import type { Records } from "./records/records.ts";
import type { RecordsServerFacts } from "./records/records-server-facts.ts";
import type { RedirectReader } from "./records/redirect-reader.ts";

/*
 * The one place that decides which engine answers a need. Each is imported when it is used, so that a process loads only
 * the engines it has.
 */

export interface RecordsOptions {
  /** Runs after each commit, before the writer resolves, to invalidate caches. */
  readonly afterCommit?: (() => Promise<void>) | undefined;
  /** New links couldn't be added to the text index. Searches still find them. */
  readonly onIndexError?: (error: unknown) => void;
  /** What follows a commit failed; the change itself is made. */
  readonly onActionError?: (error: unknown) => void;
  /** The server went away, for a reason, or came back; not called for a first connection that succeeds. */
  readonly onChange?: (isUp: boolean, problem: string | null) => void;
}

/** The schema must be the newest one: see `migrateRecords`. */
export async function openRecords(place: RecordsPlace, options: RecordsOptions = {}): Promise<Records> {
  if ("url" in place) {
    const { openPostgresRecords } = await import("./records/postgres/postgres-records.ts");
    return openPostgresRecords({ url: place.url, ...options });
  }
  const { openSqliteRecords } = await import("./records/sqlite/sqlite-records.ts");
  return openSqliteRecords({ ...place, ...options });
}

export async function openRedirectReader(place: RecordsPlace): Promise<RedirectReader> {
  if ("url" in place) {
    const { openPostgresRedirectReader } = await import("./records/postgres/redirect-reader.ts");
    return openPostgresRedirectReader(place);
  }
  const { openSqliteRedirectReader } = await import("./records/sqlite/redirect-reader.ts");
  return openSqliteRedirectReader(place.path);
}

/** Links for when the records are away; see `LinkSnapshot`. */
export async function openLinkSnapshot(path: string): Promise<LinkSnapshot> {
  const { openSqliteLinkSnapshot } = await import("./records/sqlite/link-snapshot.ts");
  return openSqliteLinkSnapshot({ path });
}

/** What other processes remember in files beside this one. */
export async function openOtherSnapshots(ownPath: string): Promise<OtherSnapshots> {
  const { openOtherSqliteSnapshots } = await import("./records/sqlite/other-snapshots.ts");
  return openOtherSqliteSnapshots(ownPath);
}

/** Migrates the records to the newest schema; creates them if there are none. */
export async function migrateRecords(place: RecordsPlace): Promise<MigrationReport> {
  if ("url" in place) {
    const { migratePostgres } = await import("./records/postgres/migrate.ts");
    return migratePostgres(place.url);
  }
  const { migrateSqlite } = await import("./records/sqlite/migrate.ts");
  return migrateSqlite(place.path);
}

/** Only from a file to a server. Finds out whether the move would work, and changes nothing. */
export async function planRecordsMove(move: RecordsMove): Promise<MovePlan> {
  const engine = await import("./records/move/move-records.ts");
  return engine.planRecordsMove(move);
}

/** Only from a file to a server; both may be in use by others, but not the server's database by a node. */
export async function moveRecords(move: RecordsMove): Promise<MovedRecords> {
  const engine = await import("./records/move/move-records.ts");
  return engine.moveRecords(move);
}

/** Only from a file to a server. Finds out whether the move would work, and changes nothing. */
export async function planClicksMove(move: ClicksMove): Promise<ClicksMovePlan> {
  const engine = await import("./clicks/move/move-clicks.ts");
  return engine.planClicksMove(move);
}

/** Only from a file, which no process may have open, to a server. `node` is the name of the file's node there. */
export async function moveClicks(move: ClicksMove, node: string): Promise<MovedClicks> {
  const engine = await import("./clicks/move/move-clicks.ts");
  return engine.moveClicks(move, node);
}

/** As an operator knows it, without a password. */
export async function nameClicksServer({ url }: ClicksServerPlace): Promise<string> {
  const { nameServer } = await import("./clicks/clickhouse/server-name.ts");
  return nameServer(url);
}

/** What can be learnt without opening the whole engine, and without changing anything. */
export interface RecordsFacts {
  /** The version of the schema; `undefined` if there are no records yet. */
  readonly schema: number | undefined;
  /** The oldest schema whose code can use the records; a file is used by one release at a time. */
  readonly worksFrom: number | undefined;
}

export async function inspectRecords(place: RecordsPlace): Promise<RecordsFacts> {
  if ("url" in place) {
    const { findPostgresSchema } = await import("./records/postgres/facts.ts");
    const found = await findPostgresSchema(place.url);
    return { schema: found?.version, worksFrom: found?.worksFrom };
  }
  const { findSchemaVersion } = await import("./records/schema-version.ts");
  const schema = findSchemaVersion(place.path);
  return { schema, worksFrom: schema };
}

/**
 * Why this release can't take over the data of one that runs, if so: that one's redirect processes go on reading while
 * this one migrates the records, and after. `clicksVersion` is what the other one writes, since it has its clicks file open.
 */
export async function findTakeoverProblem(place: RecordsPlace, clicksVersion: number): Promise<string | null> {
  const [{ migrations }, { isUnknownSchema, readersGoOn }, { CLICKS_VERSION }] = await Promise.all([
    import("./records/migrations/all.ts"),
    import("./records/readers-go-on.ts"),
    import("./clicks/clicks-version.ts"),
  ]);
  const { schema } = await inspectRecords(place);
  if (clicksVersion > CLICKS_VERSION || (schema !== undefined && isUnknownSchema(migrations, schema)))
    return "the running version is newer, and this one can't read its data";
  if (schema !== undefined && !readersGoOn(migrations, schema))
    return "this version changes the data in a way that the running one can't read; restart the server instead";
  return null;
}

/** `null` if the records are in a file. Throws if the server can't be reached. */
export async function inspectRecordsServer(
  place: RecordsPlace,
  redirectProcesses: number,
): Promise<RecordsServerFacts | null> {
  if (!("url" in place)) return null;
  const { inspectPostgres } = await import("./records/postgres/server-facts.ts");
  return inspectPostgres(place, redirectProcesses);
}

/** Why the copy for look-ups can't be used at the moment, if so. One of another installation is refused. */
export async function findCopyProblem(place: RecordsPlace): Promise<string | null> {
  if (!("url" in place) || place.readUrl === null) return null;
  const engine = await import("./records/postgres/server-facts.ts");
  return engine.findCopyProblem(place);
}

/** Whether anyone has signed up, read without opening the whole engine. */
export async function hasUsers(place: RecordsPlace): Promise<boolean> {
  if ("url" in place) {
    const { databaseHasUsers } = await import("./records/postgres/facts.ts");
    return databaseHasUsers(place.url);
  }
  const { fileHasUsers } = await import("./records/has-users.ts");
  return fileHasUsers(place.path);
}

/** Identifies an installation, so that its clicks aren't mixed with those of another. Backups keep it. */
export async function readInstallation(place: RecordsPlace): Promise<string> {
  if ("url" in place) {
    const { readInstallationIn } = await import("./records/postgres/facts.ts");
    return readInstallationIn(place.url);
  }
  const { readInstallationOf } = await import("./records/installation.ts");
  return readInstallationOf(place.path);
}

/** What the records remember of the secret key. */
export async function keyFingerprintIn(place: RecordsPlace): Promise<KeyFingerprint> {
  if ("url" in place) {
    const { postgresKeyFingerprint } = await import("./records/postgres/key-fingerprint.ts");
    return postgresKeyFingerprint(place.url);
  }
  const { sqliteKeyFingerprint } = await import("./records/sqlite/key-fingerprint.ts");
  return sqliteKeyFingerprint(place.path);
}

export interface ClicksOptions {
  /**
   * On a server, what is stored of the journal is noted under this name. Only the process that has the node's data
   * directory may use it.
   */
  readonly node?: string;
  /** The server went away, for a reason, or came back; not called for a first connection that succeeds. */
  readonly onChange?: (isUp: boolean, problem: string | null) => void;
  /** See `readInstallation`; clicks of another installation are refused. Without it, they aren't checked. */
  readonly installation?: string;
  /** Called before and after a file of an earlier release is brought up to date, which may take a while. */
  readonly onMigration?: (state: "begins" | "continues" | "ended", version: number, rows: number) => void;
  /** For `exportWith`, `stats` and `checkpoint` alone: a file of an earlier release stays as it is. */
  readonly asIs?: boolean;
}

/** A server is only connected to on first use: while it is away, everything else goes on. */
export async function openClicks(place: ClicksPlace, options: ClicksOptions = {}): Promise<ClicksEngine> {
  if ("url" in place) {
    const { node, installation, onChange } = options;
    if (node === undefined) throw new Error("clicks on a server need the node's name");
    const { openClickHouseClicks } = await import("./clicks/clickhouse/clickhouse-clicks.ts");
    return openClickHouseClicks({
      ...place,
      node,
      ...(installation !== undefined && { installation }),
      ...(onChange && { onChange }),
    });
  }
  // Without it there would be no reports, ever: it's better not to start.
  await prepareLibrary();
  const { openDuckDbClicks } = await import("./clicks/duckdb/duckdb-clicks.ts");
  return openDuckDbClicks({ ...place, ...options });
}

export async function inspectClicks({ url }: ClicksServerPlace): Promise<ClicksFacts> {
  const { inspectClickHouse } = await import("./clicks/clickhouse/facts.ts");
  return inspectClickHouse(url);
}

export interface CoordinationOptions {
  /** The same on all nodes: with it, names such as addresses are hidden from the server. */
  readonly secret: string;
  /** The server went away, for a reason, or came back; not called for a first connection that succeeds. */
  readonly onChange: (isUp: boolean, problem: string | null) => void;
}

/** If the server is away, each node decides for itself until it is back. */
export async function openCoordination(place: CoordinationPlace, options: CoordinationOptions): Promise<Coordination> {
  if (place === null) {
    const { localCoordination } = await import("./coordination/local-coordination.ts");
    return localCoordination();
  }
  const { openRedisCoordination } = await import("./coordination/redis-coordination.ts");
  return openRedisCoordination({ ...place, ...options });
}

/** `null` if there is no server. */
export async function inspectCoordination(place: CoordinationPlace): Promise<CoordinationFacts | null> {
  if (place === null) return null;
  const { inspectRedis } = await import("./coordination/redis-facts.ts");
  return inspectRedis(place.url);
}
