import type { Insertable, Updateable } from "kysely";
import type { Sql, WebhookAttemptsTable, WebhookEndpointsTable } from "#engines/records/schema.ts";

/** Returns the endpoint's number. */
export async function rewriteEndpoint(tx: Sql, id: string, values: Updateable<WebhookEndpointsTable>): Promise<number> {
  const { no } = await tx
    .updateTable("webhook_endpoints")
    .set(values)
    .where("id", "=", id)
    .returning("no")
    .executeTakeFirstOrThrow();
  return no;
}

/** As if everything so far had been done to it at that time. */
export async function redateAudit(tx: Sql, subject: string, at: number): Promise<void> {
  await tx.updateTable("audit_log").set({ at }).where("subject", "=", subject).execute();
}

/** Returns the delivery's number. */
export async function endDelivery(
  tx: Sql,
  id: string,
  outcome: { readonly state: "delivered" | "failed"; readonly attempts: number },
): Promise<number> {
  const { no } = await tx
    .updateTable("webhook_deliveries")
    .set({ ...outcome, next_at: null })
    .where("id", "=", id)
    .returning("no")
    .executeTakeFirstOrThrow();
  return no;
}

export async function insertAttempt(tx: Sql, row: Insertable<WebhookAttemptsTable>): Promise<void> {
  await tx.insertInto("webhook_attempts").values(row).execute();
}
