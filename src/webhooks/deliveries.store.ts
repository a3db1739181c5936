import { type Expression, sql as raw, type Selectable } from "kysely";
import type { WebhookEvent } from "#contract/webhooks.ts";
import { jsonText } from "#engines/records/json-text.ts";
import type { Sql, WebhookAttemptsTable, WebhookDeliveriesTable } from "#engines/records/schema.ts";
import { subjectPaths } from "./delivery-subject.ts";

export type AttemptRow = Selectable<WebhookAttemptsTable>;
export interface DeliveryRow extends Selectable<WebhookDeliveriesTable> {
  readonly event_id: string;
  readonly event: WebhookEvent;
  readonly endpoint_id: string;
}

const deliveries = (sql: Sql) =>
  sql
    .selectFrom("webhook_deliveries as d")
    .innerJoin("webhook_events as v", "v.no", "d.event_no")
    .innerJoin("webhook_endpoints as e", "e.no", "d.endpoint_no")
    .selectAll("d")
    .select(["v.id as event_id", "e.id as endpoint_id"])
    .select((eb) => eb.ref("v.type").$castTo<WebhookEvent>().as("event"));

export const findDelivery = (sql: Sql, accountNo: number, id: string): Promise<DeliveryRow | undefined> =>
  deliveries(sql).where("d.id", "=", id).where("e.account_no", "=", accountNo).executeTakeFirst();

/** The exact text of the delivery's event. */
export const findBody = async (sql: Sql, accountNo: number, id: string): Promise<string | undefined> => {
  const found = await sql
    .selectFrom("webhook_deliveries as d")
    .innerJoin("webhook_events as v", "v.no", "d.event_no")
    .select("v.body")
    .where("d.id", "=", id)
    .where("v.account_no", "=", accountNo)
    .executeTakeFirst();
  return found?.body;
};

export interface DeliveryPage {
  readonly state: DeliveryRow["state"] | null;
  readonly event: WebhookEvent | null;
  readonly before: string | null;
  readonly limit: number;
}

export interface ListedDeliveryRow extends DeliveryRow {
  /** As the event names it. */
  readonly subject: string | null;
}

/** Found by the engine: events with many clicks are large, and only this is shown of them. */
const subjectIn = (sql: Sql) =>
  raw<string | null>`coalesce(${raw.join(subjectPaths.map((path) => jsonText(sql, "v.body", path)))})`;

export const listDeliveries = (
  sql: Sql,
  endpointNo: number,
  { state, event, before, limit }: DeliveryPage,
): Promise<ListedDeliveryRow[]> =>
  deliveries(sql)
    .select(subjectIn(sql).as("subject"))
    .where("d.endpoint_no", "=", endpointNo)
    .$if(state !== null, (query) => query.where("d.state", "=", state ?? "pending"))
    .$if(event !== null, (query) => query.where("v.type", "=", event ?? ""))
    .$if(before !== null, (query) =>
      query.where("d.no", "<", (eb) =>
        eb
          .selectFrom("webhook_deliveries as last")
          .select("last.no")
          .where("last.id", "=", before ?? "")
          .where("last.endpoint_no", "=", endpointNo),
      ),
    )
    .orderBy("d.no", "desc")
    .limit(limit)
    .execute();

/** An endpoint's last deliveries, newest first, each with when and why its last attempt failed, if it did. */
export const listRecentDeliveries = (sql: Sql, endpointNo: number, limit: number) =>
  sql
    .selectFrom("webhook_deliveries as d")
    .select(["d.id", "d.state", "d.created_at"])
    .select((eb) => {
      const last = eb
        .selectFrom("webhook_attempts as a")
        .whereRef("a.delivery_no", "=", "d.no")
        .orderBy("a.no", "desc")
        .limit(1);
      return [last.select("a.at").as("attempted_at"), last.select("a.problem").as("problem")];
    })
    .where("d.endpoint_no", "=", endpointNo)
    .orderBy("d.no", "desc")
    .limit(limit)
    .execute();

export const listAttempts = (sql: Sql, deliveryNos: readonly number[]): Promise<AttemptRow[]> =>
  sql.selectFrom("webhook_attempts").selectAll().where("delivery_no", "in", deliveryNos).orderBy("no").execute();

/** Skips a delivery that is being sent right now, so it never goes out twice at once. */
export const scheduleManualAttempt = async (tx: Sql, no: number, at: number): Promise<void> => {
  await tx
    .updateTable("webhook_deliveries")
    .set({ next_at: at, is_manual: 1 })
    .where("no", "=", no)
    .where("lease", "is", null)
    .execute();
};

export interface ResendBatch {
  readonly endpointNo: number;
  /** `failed` for good, or `pending` after a failure. */
  readonly state: "failed" | "pending";
  /** Only events from then on. */
  readonly since: number;
  readonly after: number;
  readonly most: number;
  readonly at: number;
}

export interface ResendResult {
  readonly count: number;
  /** Where the next batch starts; `null` at the end. */
  readonly last: number | null;
}

/** Queues a batch again, except test events. Deliveries that failed for good restart the whole schedule. */
export async function resendBatch(tx: Sql, batch: ResendBatch): Promise<ResendResult> {
  const { endpointNo, state, since, after, most, at } = batch;
  const rows = await tx
    .selectFrom("webhook_deliveries as d")
    .innerJoin("webhook_events as v", "v.no", "d.event_no")
    .select("d.no")
    .where("d.endpoint_no", "=", endpointNo)
    .where("d.state", "=", state)
    .where("d.no", ">", after)
    .where("d.created_at", ">=", since)
    .where("d.lease", "is", null)
    .where("v.type", "!=", "webhook.test")
    .$if(state === "pending", (query) => query.where("d.attempts", ">", 0))
    .orderBy("d.no")
    .limit(most)
    .execute();
  const numbers = rows.map(({ no }) => no);
  if (numbers.length > 0) {
    await tx
      .updateTable("webhook_deliveries")
      .set({ state: "pending", next_at: at, ...(state === "failed" && { attempts: 0 }) })
      .where("no", "in", numbers)
      .execute();
  }
  return { count: numbers.length, last: numbers.at(-1) ?? null };
}

/** Deletes up to `most` expired events with their deliveries and attempts, and returns how many. */
export async function pruneEvents(tx: Sql, before: number, most: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("webhook_events")
    .where("no", "in", (eb) =>
      eb.selectFrom("webhook_events").select("no").where("created_at", "<", before).limit(most),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Fails up to `most` deliveries that were held too long for disabled endpoints, and returns how many. */
export const expireHeld = (tx: Sql, before: number, most: number): Promise<number> =>
  giveUp(
    tx,
    tx
      .selectFrom("webhook_endpoints as e")
      .innerJoin("webhook_deliveries as d", "d.endpoint_no", "e.no")
      .select("d.no")
      .where("e.disabled_at", "is not", null)
      .where("d.next_at", "is not", null)
      .where("d.created_at", "<", before)
      .limit(most)
      .$asScalar(),
  );

export const countWaiting = async (sql: Sql, endpointNo: number): Promise<number> => {
  const { waiting } = await sql
    .selectFrom("webhook_deliveries")
    .select((eb) => eb.fn.countAll<number | string>().as("waiting"))
    .where("endpoint_no", "=", endpointNo)
    .where("next_at", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(waiting);
};

/** Fails up to `most` of the endpoint's pending deliveries, and returns how many. */
export const dropPending = (tx: Sql, endpointNo: number, most: number): Promise<number> =>
  giveUp(
    tx,
    tx
      .selectFrom("webhook_deliveries")
      .select("no")
      .where("endpoint_no", "=", endpointNo)
      .where("next_at", "is not", null)
      .limit(most)
      .$asScalar(),
  );

/** A delivered delivery that is queued to be resent stays delivered. */
async function giveUp(tx: Sql, chosen: Expression<number>): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("webhook_deliveries")
    .set((eb) => ({
      state: eb.case().when("state", "=", "delivered").then("delivered").else("failed").end().$castTo<"failed">(),
      next_at: null,
      lease: null,
    }))
    .where("no", "in", chosen)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
