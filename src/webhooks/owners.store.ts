import type { Selectable } from "kysely";
import type { AccountsTable, Sql } from "#engines/records/schema.ts";

/** The account that owns an endpoint or delivery. */
export type OwnerRow = Pick<Selectable<AccountsTable>, "no" | "id" | "plan_id">;

/** An account that is being removed no longer counts. */
const selectAccounts = (sql: Sql) =>
  sql.selectFrom("accounts as a").select(["a.no", "a.id", "a.plan_id"]).where("a.removed_at", "is", null);

export const findAccount = (sql: Sql, id: string): Promise<OwnerRow | undefined> =>
  selectAccounts(sql).where("a.id", "=", id).executeTakeFirst();

export const findAccountOfEndpoint = (sql: Sql, endpointId: string): Promise<OwnerRow | undefined> =>
  selectAccounts(sql)
    .innerJoin("webhook_endpoints as e", "e.account_no", "a.no")
    .where("e.id", "=", endpointId)
    .executeTakeFirst();

export const findAccountOfDelivery = (sql: Sql, deliveryId: string): Promise<OwnerRow | undefined> =>
  selectAccounts(sql)
    .innerJoin("webhook_endpoints as e", "e.account_no", "a.no")
    .innerJoin("webhook_deliveries as d", "d.endpoint_no", "e.no")
    .where("d.id", "=", deliveryId)
    .executeTakeFirst();

export const listAccountsWithEndpoints = (sql: Sql): Promise<OwnerRow[]> =>
  selectAccounts(sql).where("a.webhook_endpoints", ">", 0).orderBy("a.no").execute();
