import type { Sql } from "./schema.ts";
import { statement } from "./statement.ts";

const CHANGES_KEPT = 100_000;

const insertChange = statement((sql, { slug, at }: { slug: string | null; at: number }) =>
  sql.insertInto("changes").values({ slug, at }),
);

/** Tells every cache to let go of a slug, from the commit on. */
export async function appendChange(tx: Sql, slug: string, at: number): Promise<void> {
  await insertChange(tx, { slug, at });
}

/** Tells every cache to let go of everything, as after a change that touches many links. */
export async function appendChangeOfAll(tx: Sql, at: number): Promise<void> {
  await insertChange(tx, { slug: null, at });
}

/** Deletes some of the oldest changes beyond what is kept, and returns how many. A reader further behind drops its cache. */
export async function pruneChanges(tx: Sql, most: number, kept = CHANGES_KEPT): Promise<number> {
  const { newest, oldest } = await tx
    .selectFrom("changes")
    .select((eb) => [eb.fn.max("seq").as("newest"), eb.fn.min("seq").as("oldest")])
    .executeTakeFirstOrThrow();
  const end = Math.min(Number(newest) - kept + 1, Number(oldest) + most);
  const { numDeletedRows } = await tx.deleteFrom("changes").where("seq", "<", end).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
