import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Database, WebhookEndpointsTable } from "#engines/records/schema.ts";

type Endpoints = Database & { readonly e: WebhookEndpointsTable };

/** Whether endpoint `e` gets events: it is enabled, or failures disabled it only recently. */
export const isListening =
  (heldSince: number) =>
  (eb: ExpressionBuilder<Endpoints, "e">): Expression<SqlBool> =>
    eb.or([
      eb("e.disabled_at", "is", null),
      eb.and([eb("e.disabled_by", "!=", "owner"), eb("e.disabled_at", ">", heldSince)]),
    ]);
