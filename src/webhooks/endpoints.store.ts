import type { Insertable, Selectable, Updateable } from "kysely";
import type { Sql, WebhookEndpointsTable } from "#engines/records/schema.ts";

export type EndpointRow = Selectable<WebhookEndpointsTable>;

export const insertEndpoint = (tx: Sql, row: Insertable<WebhookEndpointsTable>): Promise<EndpointRow> =>
  tx.insertInto("webhook_endpoints").values(row).returningAll().executeTakeFirstOrThrow();

export const findEndpoint = (sql: Sql, accountNo: number, id: string): Promise<EndpointRow | undefined> =>
  sql
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("id", "=", id)
    .where("account_no", "=", accountNo)
    .executeTakeFirst();

export const listEndpoints = (sql: Sql, accountNo: number): Promise<EndpointRow[]> =>
  sql.selectFrom("webhook_endpoints").selectAll().where("account_no", "=", accountNo).orderBy("no").execute();

export const updateEndpoint = (tx: Sql, no: number, values: Updateable<WebhookEndpointsTable>): Promise<EndpointRow> =>
  tx.updateTable("webhook_endpoints").set(values).where("no", "=", no).returningAll().executeTakeFirstOrThrow();

export const deleteEndpoint = async (tx: Sql, no: number): Promise<void> => {
  await tx.deleteFrom("webhook_endpoints").where("no", "=", no).execute();
};

/** Deletes up to `most` of the endpoint's deliveries, and returns how many. */
export const deleteSomeDeliveries = async (tx: Sql, endpointNo: number, most: number): Promise<number> => {
  const { numDeletedRows } = await tx
    .deleteFrom("webhook_deliveries")
    .where("no", "in", (eb) =>
      eb.selectFrom("webhook_deliveries").select("no").where("endpoint_no", "=", endpointNo).limit(most),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};
