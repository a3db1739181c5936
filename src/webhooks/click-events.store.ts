import type { Sql } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";
import { isListening } from "#outbox/listening-endpoint.ts";

/** Endpoints subscribed to clicks that are enabled, or that failures disabled only recently. */
export const findClickSubscribers = statement((sql, { heldSince }: { heldSince: number }) =>
  sql
    .selectFrom("webhook_endpoints as e")
    .innerJoin("accounts as a", "a.no", "e.account_no")
    .select(["e.no", "e.account_no", "a.id as account_id"])
    .where("e.takes_clicks", "=", 1)
    .where(isListening(heldSince)),
);
export type ClickSubscriber = Awaited<ReturnType<typeof findClickSubscribers>>[number];

export const findLinks = (sql: Sql, numbers: readonly number[]) =>
  sql.selectFrom("links").select(["no", "id", "key", "domain_name"]).where("no", "in", numbers).execute();

/** Counts the endpoint's pending deliveries, up to `most`. */
export async function countPendingUpTo(tx: Sql, endpointNo: number, most: number): Promise<number> {
  const { count } = await tx
    .selectFrom((eb) =>
      eb
        .selectFrom("webhook_deliveries")
        .select("no")
        .where("endpoint_no", "=", endpointNo)
        .where("next_at", "is not", null)
        .limit(most)
        .as("waiting"),
    )
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function addDropped(tx: Sql, endpointNo: number, clicks: number): Promise<void> {
  await tx
    .updateTable("webhook_endpoints")
    .set((eb) => ({ clicks_dropped: eb("clicks_dropped", "+", clicks) }))
    .where("no", "=", endpointNo)
    .execute();
}
