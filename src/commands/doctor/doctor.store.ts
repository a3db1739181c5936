import type { Sql } from "#engines/records/schema.ts";

export interface WrongCount {
  readonly no: number;
  readonly id: string;
  readonly counted: number;
  readonly actual: number;
}

/** Accounts whose counter of active links is wrong. One statement, so that counters and links are of one moment. */
export const listWrongCounts = (sql: Sql, accountNos: readonly number[] | null = null): Promise<WrongCount[]> =>
  sql
    .with("checked", (db) =>
      db
        .selectFrom("accounts")
        .select(["no", "id", "active_links as counted"])
        .select((eb) =>
          eb
            .selectFrom("links")
            .select((inner) => inner.fn.countAll<number>().as("count"))
            .whereRef("links.account_no", "=", "accounts.no")
            .where("links.state", "=", "active")
            .as("actual"),
        )
        .$if(accountNos !== null, (query) => query.where("no", "in", accountNos ?? [])),
    )
    .selectFrom("checked")
    .selectAll()
    .whereRef("counted", "!=", "actual")
    .orderBy("no")
    .$castTo<WrongCount>()
    .execute();

export async function setActiveLinks(tx: Sql, accountNo: number, activeLinks: number): Promise<void> {
  await tx.updateTable("accounts").set({ active_links: activeLinks }).where("no", "=", accountNo).execute();
}

export interface ClickCounts {
  /** The sum of all click counts of links. */
  readonly counted: number;
  /** How many links were ever deleted: each leaves a tombstone. */
  readonly deletions: number;
}

/** One statement, so that both are of one moment. */
export const readClickCounts = (sql: Sql): Promise<ClickCounts> =>
  sql
    .selectFrom("link_counts")
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<number>("click_count"), eb.lit(0)).as("counted"),
      eb
        .selectFrom("tombstones")
        .select((inner) => inner.fn.countAll<number>().as("count"))
        .as("deletions"),
    ])
    .$castTo<ClickCounts>()
    .executeTakeFirstOrThrow();
