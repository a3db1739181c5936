import { sql as raw } from "kysely";
import type { DomainsTable, Sql } from "#engines/records/schema.ts";

/**
 * The one verified claim on the name, without the number of its links: strangers cause some of these look-ups, and they
 * must not wait until a large domain is counted. The status is a literal, since a planner only uses a partial index if it
 * sees that its condition holds.
 */
const verifiedClaim = (sql: Sql, name: string) =>
  sql
    .selectFrom("domains")
    .where("name", "=", name)
    .where("status", "=", raw.lit("verified" as const));

export async function findVerifiedNo(sql: Sql, name: string): Promise<number | undefined> {
  return (await verifiedClaim(sql, name).select("no").executeTakeFirst())?.no;
}

type AppDocument = keyof Pick<DomainsTable, "apple_app_site_association" | "assetlinks">;

export async function findAppDocument(sql: Sql, name: string, document: AppDocument): Promise<string | null> {
  const found = await verifiedClaim(sql, name).select(`${document} as text`).executeTakeFirst();
  return found?.text ?? null;
}
