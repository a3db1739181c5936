import type { Insertable } from "kysely";
import type { Sql, WebhookDeliveriesTable, WebhookEventsTable } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";
import { isListening } from "./listening-endpoint.ts";

type NewEventRow = Insertable<WebhookEventsTable>;
type NewDeliveryRow = Pick<WebhookDeliveriesTable, "id" | "event_no" | "endpoint_no" | "next_at" | "created_at"> & {
  readonly is_manual: 0 | 1;
};

/** The account's endpoints that are enabled, or that failures disabled only recently. */
export const findListeningEndpoints = statement(
  (sql, { accountNo, heldSince }: { accountNo: number; heldSince: number }) =>
    sql
      .selectFrom("webhook_endpoints as e")
      .innerJoin("accounts as a", "a.no", "e.account_no")
      .select(["e.no", "e.events", "a.id as account_id"])
      .where("e.account_no", "=", accountNo)
      .where(isListening(heldSince)),
);

const insertEventRow = statement((sql, { id, account_no, type, body, created_at }: NewEventRow) =>
  sql.insertInto("webhook_events").values({ id, account_no, type, body, created_at }).returning("no"),
);

const insertDeliveryRow = statement(
  (sql, { id, event_no, endpoint_no, next_at, is_manual, created_at }: NewDeliveryRow) =>
    sql
      .insertInto("webhook_deliveries")
      .values({ id, event_no, endpoint_no, state: "pending", next_at, is_manual, created_at }),
);

export async function insertEvent(tx: Sql, row: NewEventRow): Promise<number> {
  const [inserted] = await insertEventRow(tx, row);
  if (!inserted) throw new Error("the insert of an event returned no row");
  return inserted.no;
}

export async function insertDelivery(tx: Sql, row: NewDeliveryRow): Promise<void> {
  await insertDeliveryRow(tx, row);
}
