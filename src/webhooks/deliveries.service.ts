import type { WebhookEvent } from "#contract/webhooks.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError, notFound } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { type Clock, toTimestamp, toTimestampOrNull } from "#kernel/clock.ts";
import { HELD_MS_MAX, type Outbox, writeEvent } from "#outbox/outbox.service.ts";
import {
  type AttemptRow,
  countWaiting,
  type DeliveryRow,
  expireHeld,
  findBody,
  findDelivery,
  listAttempts,
  listDeliveries,
  listRecentDeliveries,
  pruneEvents,
  type ResendBatch,
  type ResendResult,
  resendBatch,
  scheduleManualAttempt,
} from "./deliveries.store.ts";
import { isSkipped } from "./delivery-outcome.ts";
import { showSubject } from "./delivery-subject.ts";
import { getEndpoint } from "./endpoints.service.ts";
import type { EndpointRow } from "./endpoints.store.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly wake: (endpointNo: number) => void;
}

export interface Attempt {
  readonly at: string;
  /** Whether someone triggered it. */
  readonly manual: boolean;
  readonly status: number | null;
  /** Why there was no response, such as `timeout`. */
  readonly problem: string | null;
  readonly duration_ms: number;
  readonly excerpt: string;
}

export interface Delivery {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event: WebhookEvent;
  readonly state: "pending" | "delivered" | "failed";
  readonly created_at: string;
  readonly next_attempt_at: string | null;
  readonly attempts: readonly Attempt[];
}

export interface ListedDelivery extends Delivery {
  /** What the event is about, if anything. */
  readonly subject: string | null;
}

export interface RecentDelivery {
  readonly id: string;
  readonly outcome: "delivered" | "failed" | "retrying" | "waiting" | "skipped";
  readonly at: string;
}

export interface DeliveryQuery {
  readonly state: Delivery["state"] | null;
  readonly limit: number;
  readonly event?: WebhookEvent | null;
  /** The id of the last delivery on the previous page. */
  readonly before?: string | null;
}

const RETENTION_MS = 30 * 86_400_000;
const BATCH = 500;
const TEST_MESSAGE = "This is a test. Your endpoint works. 👋";

/** Lists, tests and resends deliveries to an account's endpoints. */
export function deliveryService({ records, clock, outbox, wake }: Deps) {
  const withAttempts = async (rows: readonly DeliveryRow[]): Promise<Delivery[]> => {
    const numbers = rows.map(({ no }) => no);
    const attempts = rows.length === 0 ? [] : await listAttempts(records.read, numbers);
    const byDelivery = Map.groupBy(attempts, ({ delivery_no }) => delivery_no);
    return rows.map((row) => toDelivery(row, byDelivery.get(row.no) ?? []));
  };

  return {
    /** Sends a test event once, even if the endpoint isn't subscribed to anything; returns the delivery id. */
    test: (caller: Caller, endpointId: string): Promise<string> =>
      records.write(async (tx) => {
        const { no } = await getOpenEndpoint(tx, caller, endpointId, "test");
        const { accountNo, accountId } = caller;
        const data = () => ({ message: TEST_MESSAGE });
        const event = writeEvent(accountId, { type: "webhook.test", accountNo, at: clock(), data });
        const [id = ""] = await outbox.appendTo(tx, event, [no]);
        return id;
      }),

    /** Newest first. */
    async list(caller: Caller, endpointId: string, query: DeliveryQuery): Promise<ListedDelivery[]> {
      const { no } = await getEndpoint(records.read, caller, endpointId);
      const { state, event = null, before = null, limit } = query;
      // A filter may have to look through all deliveries, and the subject is read from the events' texts.
      const rows = await listDeliveries(records.scan, no, { state, event, before, limit });
      const found = await withAttempts(rows);
      return found.map((delivery, index) => ({ ...delivery, subject: showSubject(rows[index]?.subject ?? null) }));
    },

    /** What became of an endpoint's last deliveries, newest first. */
    async listRecent(caller: Caller, endpointId: string, limit: number): Promise<RecentDelivery[]> {
      const { no } = await getEndpoint(records.read, caller, endpointId);
      const rows = await listRecentDeliveries(records.read, no, limit);
      return rows.map((row) => ({ id: row.id, outcome: outcomeOf(row), at: toTimestamp(row.created_at) }));
    },

    /** How many deliveries enabling the endpoint would send. */
    async countWaiting(caller: Caller, endpointId: string): Promise<number> {
      const { no } = await getEndpoint(records.read, caller, endpointId);
      return countWaiting(records.scan, no);
    },

    async get(caller: Caller, id: string): Promise<Delivery> {
      for (let row = await getDelivery(records.read, caller, id); ; ) {
        const [delivery] = await withAttempts([row]);
        if (!delivery) throw notFound();
        // An attempt may have ended between the two reads.
        const after = await getDelivery(records.read, caller, id);
        if (after.state === row.state && after.next_at === row.next_at) return delivery;
        row = after;
      }
    },

    /** The exact request body. */
    async getBody({ accountNo }: Caller, id: string): Promise<string> {
      const body = await findBody(records.read, accountNo, id);
      if (body === undefined) throw notFound();
      return body;
    },

    /** Makes one more attempt now, under the same delivery id, without retries. */
    async redeliver(caller: Caller, id: string): Promise<void> {
      const endpointNo = await records.write(async (tx) => {
        const { no, endpoint_id } = await getDelivery(tx, caller, id);
        const endpoint = await getOpenEndpoint(tx, caller, endpoint_id, "redeliver");
        await scheduleManualAttempt(tx, no, clock());
        return endpoint.no;
      });
      wake(endpointNo);
    },

    /** Resends all failed deliveries of events since then; returns how many. */
    async recover(caller: Caller, endpointId: string, since: number): Promise<number> {
      const { no: endpointNo } = await getOpenEndpoint(records.read, caller, endpointId, "recover");
      let total = 0;
      // In this order nothing is resent twice: failed deliveries become pending.
      for (const state of ["pending", "failed"] as const) {
        let after: number | null = 0;
        while (after !== null) {
          const batch: ResendBatch = { endpointNo, state, since, after, most: BATCH, at: clock() };
          const { count, last }: ResendResult = await records.write((tx) => resendBatch(tx, batch));
          total += count;
          after = last;
        }
      }
      wake(endpointNo);
      return total;
    },

    /** Housekeeping: deletes old events, expires deliveries held too long, and returns how many. */
    prune: (most: number): Promise<number> =>
      records.write(async (tx) => {
        const now = clock();
        return (await pruneEvents(tx, now - RETENTION_MS, most)) + (await expireHeld(tx, now - HELD_MS_MAX, most));
      }),
  };
}

interface RecentRow {
  readonly state: DeliveryRow["state"];
  readonly attempted_at: number | null;
  readonly problem: string | null;
}

function outcomeOf({ state, attempted_at, problem }: RecentRow): RecentDelivery["outcome"] {
  if (state === "delivered") return "delivered";
  if (state === "failed") return isSkipped({ problem }) ? "skipped" : "failed";
  return attempted_at === null ? "waiting" : "retrying";
}

const toDelivery = (row: DeliveryRow, attempts: readonly AttemptRow[]): Delivery => ({
  id: row.id,
  endpoint_id: row.endpoint_id,
  event_id: row.event_id,
  event: row.event,
  state: row.state,
  created_at: toTimestamp(row.created_at),
  next_attempt_at: toTimestampOrNull(row.next_at),
  attempts: attempts.map(({ at, is_manual, status, problem, duration_ms, excerpt }) => ({
    at: toTimestamp(at),
    manual: is_manual === 1,
    status,
    problem,
    duration_ms,
    excerpt,
  })),
});

async function getDelivery(sql: Sql, { accountNo }: Caller, id: string): Promise<DeliveryRow> {
  const row = await findDelivery(sql, accountNo, id);
  if (!row) throw notFound();
  return row;
}

async function getOpenEndpoint(sql: Sql, caller: Caller, id: string, action: string): Promise<EndpointRow> {
  const endpoint = await getEndpoint(sql, caller, id);
  if (endpoint.disabled_at === null) return endpoint;
  const details = { state: "disabled", action, allowed_actions: ["enable"] };
  throw new ApiError("invalid_state", "The endpoint is disabled; enable it first.", details);
}
