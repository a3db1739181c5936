import { appendAudit } from "#audit/audit.service.ts";
import type { Sql } from "#engines/records/schema.ts";
import { deliveryAfter, healthAfter, isSkipped, isSuccess, type Outcome } from "./delivery-outcome.ts";
import { clearFailing, insertAttempt, selectHealth, settleClaimed } from "./delivery-queue.store.ts";
import { updateEndpoint } from "./endpoints.store.ts";

/** An endpoint that was disabled automatically, and why. */
export interface DisabledEndpoint {
  readonly id: string;
  readonly accountNo: number;
  readonly url: string;
  readonly reason: "failing" | "gone";
}

export interface Settled {
  readonly nextDueAt: number | null;
  /** Set if this attempt disabled the endpoint. */
  readonly disabled: DisabledEndpoint | null;
}

/** Stores the outcome, unless another worker has taken over the delivery. */
export async function settleOutcome(tx: Sql, outcome: Outcome): Promise<Settled> {
  const { delivery, at, status, problem, durationMs, excerpt } = outcome;
  const after = deliveryAfter(outcome);
  if (!(await settleClaimed(tx, { no: delivery.no, lease: delivery.lease, ...after })))
    return { nextDueAt: null, disabled: null };
  await insertAttempt(tx, {
    delivery_no: delivery.no,
    at,
    is_manual: delivery.isManual ? 1 : 0,
    status,
    problem,
    duration_ms: durationMs,
    excerpt,
  });
  if (isSuccess(outcome)) await clearFailing(tx, { no: delivery.endpoint.no });
  const isFailure = !isSuccess(outcome) && !isSkipped(outcome);
  return { nextDueAt: after.next_at, disabled: isFailure ? await recordFailure(tx, outcome, after) : null };
}

async function recordFailure(
  tx: Sql,
  outcome: Outcome,
  after: ReturnType<typeof deliveryAfter>,
): Promise<DisabledEndpoint | null> {
  const { no, id, account_no, url } = outcome.delivery.endpoint;
  const [before] = await selectHealth(tx, { no });
  if (!before) return null;
  const health = healthAfter(before, outcome, after);
  await updateEndpoint(tx, no, health);
  const { disabled_by: reason } = health;
  if (before.disabled_at !== null || reason === null || reason === "owner") return null;
  await appendAudit(tx, {
    at: outcome.endedAt,
    accountNo: account_no,
    actor: "system",
    action: "webhook.disabled",
    subject: id,
    details: { reason },
  });
  return { id, accountNo: account_no, url, reason };
}
