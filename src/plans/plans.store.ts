import type { Sql } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";

interface Usage {
  readonly accountNo: number;
  readonly limit: number;
}

const addActiveLink = statement((sql, { accountNo, limit }: Usage) =>
  sql
    .updateTable("accounts")
    .set((eb) => ({ active_links: eb("active_links", "+", 1) }))
    .where("no", "=", accountNo)
    .where("active_links", "<", limit)
    .returning("active_links"),
);

/** Returns false if the limit is reached. */
export const countUpActiveLinks = async (tx: Sql, usage: Usage): Promise<boolean> =>
  (await addActiveLink(tx, usage)).length > 0;

export async function countDownActiveLinks(tx: Sql, accountNo: number): Promise<void> {
  await tx
    .updateTable("accounts")
    .set((eb) => ({ active_links: eb("active_links", "-", 1) }))
    .where("no", "=", accountNo)
    .execute();
}

/** Returns false if the limit is reached. */
export async function countUpEndpoints(tx: Sql, { accountNo, limit }: Usage): Promise<boolean> {
  const counted = await tx
    .updateTable("accounts")
    .set((eb) => ({ webhook_endpoints: eb("webhook_endpoints", "+", 1) }))
    .where("no", "=", accountNo)
    .where("webhook_endpoints", "<", limit)
    .returning("webhook_endpoints")
    .executeTakeFirst();
  return counted !== undefined;
}

export async function countDownEndpoints(tx: Sql, accountNo: number): Promise<void> {
  await tx
    .updateTable("accounts")
    .set((eb) => ({ webhook_endpoints: eb("webhook_endpoints", "-", 1) }))
    .where("no", "=", accountNo)
    .execute();
}

/** Returns false if the limit is reached. */
export async function countUpDomains(tx: Sql, { accountNo, limit }: Usage): Promise<boolean> {
  const counted = await tx
    .updateTable("accounts")
    .set((eb) => ({ domains: eb("domains", "+", 1) }))
    .where("no", "=", accountNo)
    .where("domains", "<", limit)
    .returning("domains")
    .executeTakeFirst();
  return counted !== undefined;
}

export async function countDownDomains(tx: Sql, accountNo: number): Promise<void> {
  await tx
    .updateTable("accounts")
    .set((eb) => ({ domains: eb("domains", "-", 1) }))
    .where("no", "=", accountNo)
    .execute();
}
