import { ClicksUnavailable, ForeignClicks } from "../clicks-engine.ts";
import { DAY_MS } from "../slots.ts";
import { type Layout, runOnAll } from "./layout.ts";
import { type ClickHouseSession, openSession } from "./session.ts";

/** `link_no` 0 means the whole account; link numbers start at 1. */
export const ACCOUNT_LINK_NO = 0;

const textColumn = (name: string): string => `${name} LowCardinality(String)`;

/** As they were in the first version, whatever becomes of the format later. */
const firstTexts = [
  ...["country", "region", "city", "language", "device", "browser", "os", "referrer"],
  ...["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"],
];
const texts = firstTexts.map(textColumn).join(", ");

const textsOfVersion5 = [...firstTexts, "domain", "rule"].map(textColumn).join(", ");

// The journal is deleted once a batch is acknowledged, so it must have reached the disk by then.
const DURABLE = "fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1";

/**
 * Numbered, forward only, never edited once released. Nodes that start together run them side by side, so each
 * statement must succeed however often it runs.
 */
export function migrationsFor({ onCluster, engine, deduplication }: Layout): readonly (readonly string[])[] {
  const create = (name: string): string => `create table if not exists ${name} ${onCluster}`;
  /** A part holds one UTC day of clicks, with those of an account together, and of a link within it. */
  const clickTable = (name: string): string => `
    ${create(name)} (
      at_ms UInt64, account_no UInt32, link_no UInt32, bot Bool, qr Bool, visitor Nullable(UInt64),
      node LowCardinality(String), batch UInt64, ${texts}
    ) engine = ${engine} partition by intDiv(at_ms, ${DAY_MS}) order by (account_no, link_no, at_ms)
    settings ${DURABLE}, ${deduplication}`;
  return [
    [
      clickTable("clicks"),
      // The clicks of days that are being reduced to counts.
      clickTable("expiring_clicks"),
      // What happened to each batch, one row per step; see BatchLog.
      `${create("batches")} (
        node String, batch UInt64, state Enum8('begun' = 1, 'stored' = 2, 'aborted' = 3, 'removed' = 4),
        segments Array(String), positions Array(UInt64), at DateTime64(3, 'UTC') default now64(3)
      ) engine = ${engine} order by (node, batch) settings ${DURABLE}`,
      `${create("erased_links")} (account_no UInt32, link_no UInt32, at DateTime64(3, 'UTC') default now64(3))
      engine = ${engine} order by (account_no, link_no) settings ${DURABLE}`,
      `${create("erased_accounts")} (account_no UInt32, at DateTime64(3, 'UTC') default now64(3))
      engine = ${engine} order by account_no settings ${DURABLE}`,
      // The newest position of a link counts. Account 0 keeps the position of the tags.
      `${create("link_tags")} (
        generation UInt64, position Int64, account_no UInt32, link_no UInt32, tags Array(String)
      ) engine = ${engine} order by (generation, account_no, link_no)`,
      `${create("tag_generations")} (generation UInt64) engine = ${engine} order by generation`,
      // at_ms is the start of a slot.
      `${create("compacted_clicks")} (
        run UInt64, at_ms UInt64, account_no UInt32, link_no UInt32, bot Bool, qr Bool, ${texts}, clicks UInt64
      ) engine = ${engine} partition by intDiv(at_ms, ${DAY_MS * 30}) order by (account_no, link_no, at_ms)
      settings ${DURABLE}`,
      `${create("compacted_visitors")} (
        run UInt64, day UInt32, account_no UInt32, link_no UInt32, with_bots Bool, clicks UInt64, visitors UInt64
      ) engine = ${engine} order by (account_no, link_no, day) settings ${DURABLE}`,
      // Counts are valid once their run is 'counted'; the clicks they stand for are gone once it is 'dropped'.
      `${create("compactions")} (run UInt64, day UInt32, state Enum8('counted' = 1, 'dropped' = 2))
      engine = ${engine} order by day settings ${DURABLE}`,
      // Who may compact; see CompactionClaim.
      `${create("compaction_claims")} (
        no UInt64, owner String, is_held Bool, at DateTime64(3, 'UTC') default now64(3)
      ) engine = ${engine} order by no settings ${DURABLE}, ${deduplication}`,
      `${create("installation")} (id String, at DateTime64(9, 'UTC') default now64(9))
      engine = ${engine} order by at settings ${DURABLE}`,
    ],
    [
      // What `kurz move` has done, one row per step; see `move-log.ts`.
      `${create("moves")} (
        no UInt64, installation String, state Enum8('begun' = 1, 'finished' = 2), note String,
        at DateTime64(3, 'UTC') default now64(3)
      ) engine = ${engine} order by no settings ${DURABLE}`,
    ],
    // Nodes of the version before store clicks and report beside this one. They can't compact, and try again later.
    ["clicks", "expiring_clicks", "compacted_clicks"].map(
      (table) =>
        `alter table ${table} ${onCluster} ${["domain", "rule"]
          .map((name) => `add column if not exists ${textColumn(name)}`)
          .join(", ")}`,
    ),
    // A page of a move that is sent again, because no answer came, is stored once.
    ["compacted_clicks", "compacted_visitors"].map(
      (table) => `alter table ${table} ${onCluster} modify setting ${deduplication}`,
    ),
    // Clicks that others have counted. Nodes of the version before report without them.
    [
      `${create("imported_clicks")} (
        batch UInt64, at_ms UInt64, account_no UInt32, link_no UInt32, bot Bool, qr Bool, ${textsOfVersion5}, clicks UInt64,
        has_hour Bool, known UInt32, earlier UInt32, all_known UInt32
      ) engine = ${engine} partition by intDiv(at_ms, ${DAY_MS * 30}) order by (account_no, link_no, at_ms)
      settings ${DURABLE}, ${deduplication}`,
      // The same by visitor, who is never one of `clicks`.
      `${create("imported_visits")} (
        batch UInt64, at_ms UInt64, account_no UInt32, link_no UInt32, bot Bool, qr Bool, ${textsOfVersion5}, clicks UInt64,
        visitor Nullable(UInt64)
      ) engine = ${engine} partition by intDiv(at_ms, ${DAY_MS * 30}) order by (account_no, link_no, at_ms)
      settings ${DURABLE}, ${deduplication}`,
      `${create("imported_visitors")} (
        batch UInt64, day UInt32, account_no UInt32, link_no UInt32, with_bots Bool, clicks UInt64, visitors UInt64
      ) engine = ${engine} order by (account_no, link_no, day) settings ${DURABLE}, ${deduplication}`,
      // Which batches count; see `imported.ts`.
      `${create("imported_batches")} (account_no UInt32, import String, no UInt32, batch UInt64)
      engine = ${engine} order by (account_no, import, no) settings ${DURABLE}, ${deduplication}`,
      // Which visits of a day were reduced to counts.
      `${create("imported_compactions")} (run UInt64, day UInt32, batches Array(UInt64))
      engine = ${engine} order by day settings ${DURABLE}`,
    ],
  ];
}

/** Came with this version. Without it, the parts of a report could be of different moments. */
export const NEEDED_SETTING = "enable_shared_storage_snapshot_in_query";
export const VERSION_MIN = "25.6";

/** Creates the database if the server doesn't have it, and lets this user create one. */
export async function createDatabase(
  session: ClickHouseSession,
  { onCluster }: Layout,
  url: string,
  timeoutMs: number,
): Promise<void> {
  // That a server doesn't answer should be known sooner than that it is slow.
  const problem = await session.run("select 1", { timeoutMs: timeoutMs / 2 }).then(
    () => null,
    (error: Error) => error,
  );
  if (problem === null) return;
  if (!isUnknownDatabase(problem) || new URL(url).pathname === "/") throw problem;
  await createMissing({ onCluster }, url, timeoutMs);
}

/** Creates the database, which the server doesn't have. */
export async function createMissing(
  { onCluster }: Pick<Layout, "onCluster">,
  url: string,
  timeoutMs: number,
): Promise<void> {
  const database = decodeURIComponent(new URL(url).pathname.slice(1));
  const server = openSession({ url: new URL("/", url).href, connectionsMax: 1, statementTimeoutMs: timeoutMs });
  try {
    await server.run(`create database if not exists {database:Identifier} ${onCluster}`, { values: { database } });
  } finally {
    await server.close();
  }
}

export const isUnknownDatabase = ({ cause }: Error): boolean =>
  cause instanceof Error && "type" in cause && cause.type === "UNKNOWN_DATABASE";

/** Creates or updates the tables; rejects those that only newer releases can use, and servers that are too old. */
export async function prepareSchema(session: ClickHouseSession, layout: Layout): Promise<void> {
  const { onCluster, engine } = layout;
  const migrations = migrationsFor(layout);
  const [server] = await session.rows("select version(), count() from system.settings where name = {name:String}", {
    values: { name: NEEDED_SETTING },
  });
  if (Number(server?.[1]) === 0) {
    throw new ClicksUnavailable(`ClickHouse ${server?.[0]} is too old: use ${VERSION_MIN} or later`);
  }
  const { version, worksFrom } = await findVersion(session);
  if (worksFrom > migrations.length) {
    throw new ClicksUnavailable(
      `the clicks in ClickHouse have version ${version}, this release knows ${migrations.length}: they were written by a later one`,
    );
  }
  // Creating what exists would still need all servers of a cluster.
  if (version >= migrations.length) return;
  await session.run(
    `create table if not exists schema_versions ${onCluster} (version UInt32, works_from UInt32)
    engine = ${engine} order by version`,
  );
  for (const [index, statements] of migrations.entries()) {
    if (index < version) continue;
    for (const statement of statements) await runOnAll(session, statement);
    await session.run(`insert into schema_versions values (${index + 1}, ${WORKS_FROM})`);
  }
}

/** Whether a later release has changed the tables, perhaps since this one has prepared them. */
export async function isOfLaterRelease(session: ClickHouseSession, layout: Layout): Promise<boolean> {
  const [row] = await session.rows("select max(version) from schema_versions");
  return Number(row?.[0]) > migrationsFor(layout).length;
}

/** The oldest version whose code can use the tables: while nodes are updated one by one, old and new ones share them. */
const WORKS_FROM = 1;

async function findVersion(session: ClickHouseSession): Promise<{ version: number; worksFrom: number }> {
  const [table] = await session.rows(
    "select count() from system.tables where database = currentDatabase() and name = 'schema_versions'",
  );
  if (Number(table?.[0]) === 0) return { version: 0, worksFrom: 0 };
  const [row] = await session.rows("select max(version), max(works_from) from schema_versions");
  return { version: Number(row?.[0]), worksFrom: Number(row?.[1]) };
}

/** Whose clicks the database has; `undefined` if nobody has claimed it yet. */
export async function findOwner(session: ClickHouseSession): Promise<string | undefined> {
  const [row] = await session.rows("select id from installation order by at, id limit 1");
  return row === undefined ? undefined : String(row[0]);
}

/** The first installation that uses the database claims it. Of several at once, all agree on the first. */
export async function claimDatabase(session: ClickHouseSession, installation: string): Promise<void> {
  if ((await findOwner(session)) === undefined) {
    await session.run("insert into installation (id) select {id:String}", { values: { id: installation } });
  }
  if ((await findOwner(session)) !== installation) {
    throw new ForeignClicks(
      "the ClickHouse database holds the clicks of another installation; set CLICKHOUSE_URL to the database that " +
        "belongs to these records, or to an empty one to begin without clicks",
    );
  }
}
