import type { Kysely } from "kysely";
import type { LinkKey } from "#kernel/link-key.ts";
import { isPostgres } from "./engine-kind.ts";
import type { ChangesTable, Database, Sql } from "./schema.ts";
import { statement } from "./statement.ts";

const CHANGES_KEPT = 100_000;

/** Changes in commit order: after `after`, up to and including `upTo`. */
export interface ChangeRange {
  readonly after: number;
  readonly upTo: number;
}

type WithUnnumbered = Kysely<Database & { unnumbered_changes: Omit<ChangesTable, "seq"> }>;

// SQLite has one writer, so a number is also the place among commits. On PostgreSQL a lower number may be committed
// later, and a reader beyond it would miss it: there, numbers are given once changes are committed.
const insertRow = statement((sql, { key, at }: { key: LinkKey | null; at: number }) =>
  isPostgres(sql)
    ? (sql as unknown as WithUnnumbered).insertInto("unnumbered_changes").values({ key, at })
    : sql.insertInto("changes").values({ key, at }),
);

const changing = new WeakSet<Sql>();

/** For engines: whether the transaction has appended a change. */
export const hasChanges = (tx: Sql): boolean => changing.has(tx);

async function insertChange(tx: Sql, row: { key: LinkKey | null; at: number }): Promise<void> {
  changing.add(tx);
  await insertRow(tx, row);
}

/** Makes every cache drop a key as of the commit. */
export async function appendChange(tx: Sql, key: LinkKey, at: number): Promise<void> {
  await insertChange(tx, { key, at });
}

/** Clears every cache, for example after an account change. Must not include changes to link tags. */
export async function appendChangeOfAll(tx: Sql, at: number): Promise<void> {
  await insertChange(tx, { key: null, at });
}

const selectNewest = statement((sql, _: object) =>
  sql.selectFrom("changes").select("seq").orderBy("seq", "desc").limit(1),
);

const selectFirstAfter = statement((sql, { after }: { after: number }) =>
  sql.selectFrom("changes").select("seq").where("seq", ">", after).orderBy("seq").limit(1),
);

/** The number of the newest change; 0 before the first. */
export async function findNewestChange(sql: Sql): Promise<number> {
  const [newest] = await selectNewest(sql, {});
  return newest?.seq ?? 0;
}

/** The next changes after `after`, if any, or "gap" if the log no longer reaches back that far. */
export async function findNextChanges(sql: Sql, after: number, most: number): Promise<ChangeRange | null | "gap"> {
  const newest = await findNewestChange(sql);
  if (newest === after) return null;
  const [first] = await selectFirstAfter(sql, { after });
  // A log that ends before `after` belongs to data restored from a backup.
  return first?.seq === after + 1 ? { after, upTo: Math.min(newest, after + most) } : "gap";
}

/** Deletes some of the oldest changes beyond retention, and returns how many. Readers further behind clear their cache. */
export async function pruneChanges(tx: Sql, most: number, kept = CHANGES_KEPT): Promise<number> {
  const newest = await findNewestChange(tx);
  // Two separate queries for min and max: one query for both would read the whole log.
  const [oldest] = await selectFirstAfter(tx, { after: 0 });
  if (!oldest) return 0;
  const end = Math.min(newest - kept + 1, oldest.seq + most);
  const { numDeletedRows } = await tx.deleteFrom("changes").where("seq", "<", end).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
