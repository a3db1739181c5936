import { type Selectable, sql } from "kysely";
import { hasRowLocks } from "#engines/records/engine-kind.ts";
import type { Sql, WebhookDeliveriesTable, WebhookEndpointsTable } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";

type Endpoint = Selectable<WebhookEndpointsTable>;
type Delivery = Selectable<WebhookDeliveriesTable>;

/** An endpoint with pending deliveries, and when the first one is due. */
export interface DueQueue {
  readonly endpointNo: number;
  readonly dueAt: number;
}

/** Everything needed to send one delivery. */
export interface ClaimedDelivery {
  readonly no: number;
  readonly id: string;
  readonly lease: string;
  /** The end of the lease, unless it is renewed. */
  readonly leasedUntil: number;
  readonly state: Delivery["state"];
  readonly attempts: number;
  readonly isManual: boolean;
  readonly event: string;
  readonly body: string;
  readonly endpoint: Pick<Endpoint, "no" | "id" | "account_no" | "url" | "secret" | "old_secret" | "old_secret_until">;
}

export interface Claim {
  readonly endpointNo: number;
  readonly most: number;
  readonly lease: string;
  readonly now: number;
  readonly until: number;
}

/** Skips from endpoint to endpoint in the index, however many deliveries each has. */
export async function listDueQueues(db: Sql): Promise<DueQueue[]> {
  const { rows } = await sql<DueQueue>`
    with recursive queue (no) as (
      select min(endpoint_no) from webhook_deliveries where next_at is not null
      union all
      select (select min(endpoint_no) from webhook_deliveries where next_at is not null and endpoint_no > queue.no)
      from queue where queue.no is not null
    )
    select no as "endpointNo",
      (select min(next_at) from webhook_deliveries where endpoint_no = queue.no and next_at is not null) as "dueAt"
    from queue where no is not null`.execute(db);
  return rows;
}

const selectOpenEndpoint = statement((db, { endpointNo }: { endpointNo: number }) =>
  db
    .selectFrom("webhook_endpoints")
    .select(["no", "id", "account_no", "url", "secret", "old_secret", "old_secret_until"])
    .where("no", "=", endpointNo)
    .where("disabled_at", "is", null),
);

const leaseDue = statement((db, { endpointNo, most, lease, now, until }: Claim) =>
  db
    .updateTable("webhook_deliveries")
    .set({ lease, next_at: until })
    .where("no", "in", (eb) =>
      eb
        .selectFrom("webhook_deliveries")
        .select("no")
        .where("endpoint_no", "=", endpointNo)
        .where("next_at", "<=", now)
        .orderBy("next_at")
        .orderBy("no")
        .limit(most)
        // What another node is claiming right now isn't worth waiting for.
        .$if(hasRowLocks(db), (query) => query.forUpdate().skipLocked()),
    )
    .returning(["no", "id", "event_no", "state", "attempts", "is_manual"]),
);

const selectEvent = statement((db, { no }: { no: number }) =>
  db.selectFrom("webhook_events").select(["type", "body"]).where("no", "=", no),
);

const selectNextDue = statement((db, { endpointNo }: { endpointNo: number }) =>
  db
    .selectFrom("webhook_deliveries")
    .select((eb) => eb.fn.min("next_at").as("due_at"))
    .where("endpoint_no", "=", endpointNo)
    .where("next_at", "is not", null),
);

/** Leases due deliveries, and returns when the next one is due. A claimed delivery is due again when its lease ends. */
export async function claimDue(
  tx: Sql,
  claim: Claim,
): Promise<{ readonly claimed: ClaimedDelivery[]; readonly nextDueAt: number | null }> {
  const [endpoint] = await selectOpenEndpoint(tx, claim);
  if (!endpoint) return { claimed: [], nextDueAt: null };
  const claimed: ClaimedDelivery[] = [];
  const leased = await leaseDue(tx, claim);
  for (const row of leased.toSorted((a, b) => a.no - b.no)) {
    const [event] = await selectEvent(tx, { no: row.event_no });
    if (!event) continue;
    const { no, id, state, attempts, is_manual } = row;
    const isManual = is_manual === 1;
    claimed.push({
      no,
      id,
      lease: claim.lease,
      leasedUntil: claim.until,
      state,
      attempts,
      isManual,
      event: event.type,
      body: event.body,
      endpoint,
    });
  }
  if (claimed.length === claim.most) return { claimed, nextDueAt: claim.now };
  const [next] = await selectNextDue(tx, claim);
  return { claimed, nextDueAt: next?.due_at ?? null };
}

interface Settlement extends Pick<Delivery, "state" | "attempts" | "next_at"> {
  readonly no: number;
  readonly lease: string;
}

const settleDelivery = statement((db, { no, lease, state, attempts, next_at }: Settlement) =>
  db
    .updateTable("webhook_deliveries")
    .set({ state, attempts, next_at, is_manual: 0, lease: null })
    .where("no", "=", no)
    .where("lease", "=", lease)
    .returning("no"),
);

/** Returns false if the lease was lost: another worker took over, or the endpoint was deleted. */
export const settleClaimed = async (tx: Sql, settlement: Settlement): Promise<boolean> =>
  (await settleDelivery(tx, settlement)).length > 0;

interface AttemptRow {
  readonly delivery_no: number;
  readonly at: number;
  readonly is_manual: 0 | 1;
  readonly status: number | null;
  readonly problem: string | null;
  readonly duration_ms: number;
  readonly excerpt: string;
}

export const insertAttempt = statement(
  (db, { delivery_no, at, is_manual, status, problem, duration_ms, excerpt }: AttemptRow) =>
    db.insertInto("webhook_attempts").values({ delivery_no, at, is_manual, status, problem, duration_ms, excerpt }),
);

export const selectHealth = statement((db, { no }: { no: number }) =>
  db
    .selectFrom("webhook_endpoints")
    .select(["failing_since", "last_failure_at", "exhausted_at", "disabled_at", "disabled_by"])
    .where("no", "=", no),
);

export const clearFailing = statement((db, { no }: { no: number }) =>
  db
    .updateTable("webhook_endpoints")
    .set({ failing_since: null, last_failure_at: null, exhausted_at: null })
    .where("no", "=", no)
    .where("failing_since", "is not", null),
);

interface Renewal {
  /** The numbers of the deliveries. */
  readonly held: readonly number[];
  readonly lease: string;
  readonly until: number;
}

/** Not all with this lease: a claim whose answer got lost left some that nobody sends. */
export async function renewLease(tx: Sql, { held, lease, until }: Renewal): Promise<void> {
  await tx
    .updateTable("webhook_deliveries")
    .set({ next_at: until })
    .where("no", "in", held)
    .where("lease", "=", lease)
    .execute();
}

/** Makes deliveries due again whose lease has this prefix: a worker's own leases, or all of a node's. */
export async function releaseLeases(tx: Sql, prefix: string, now: number): Promise<void> {
  await tx
    .updateTable("webhook_deliveries")
    .set({ next_at: now, lease: null })
    .where("lease", "is not", null)
    .where((eb) => eb(eb.fn<string>("substr", ["lease", eb.val(1), eb.val(prefix.length)]), "=", prefix))
    .execute();
}

interface Postponed {
  readonly endpointNo: number;
  readonly latest: number;
  readonly now: number;
}

/** Makes deliveries due that were postponed beyond `latest`, except those being sent. */
export async function bringForward(tx: Sql, { endpointNo, latest, now }: Postponed): Promise<void> {
  await tx
    .updateTable("webhook_deliveries")
    .set({ next_at: now })
    .where("endpoint_no", "=", endpointNo)
    .where("next_at", ">", latest)
    .where("lease", "is", null)
    .execute();
}
