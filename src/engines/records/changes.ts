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

/** A reader that is further behind than what is kept drops its cache instead. */
export async function pruneChanges(tx: Sql): Promise<void> {
  await tx
    .deleteFrom("changes")
    .where("seq", "<", (eb) =>
      eb.selectFrom("changes").select((inner) => inner(inner.fn.max("seq"), "-", CHANGES_KEPT).as("least")),
    )
    .execute();
}
