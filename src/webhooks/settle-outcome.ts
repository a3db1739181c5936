import { appendAudit } from "#audit/audit.service.ts";
import type { Sql } from "#engines/records/schema.ts";
import { isSkipped, isSuccess, judgeDelivery, judgeEndpoint, type Outcome } from "./delivery-outcome.ts";
import { clearFailing, insertAttempt, selectHealth, settleClaimed } from "./delivery-queue.store.ts";
import { updateEndpoint } from "./endpoints.store.ts";

/** Logs the attempt, unless somebody else has the delivery by now, and returns when the next one is due. */
export async function settleOutcome(tx: Sql, outcome: Outcome): Promise<number | null> {
  const { delivery, at, status, problem, durationMs, excerpt } = outcome;
  const after = judgeDelivery(outcome);
  if (!(await settleClaimed(tx, { no: delivery.no, lease: delivery.lease, ...after }))) return null;
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
  else if (!isSkipped(outcome)) await noteFailure(tx, outcome, after);
  return after.next_at;
}

async function noteFailure(tx: Sql, outcome: Outcome, after: ReturnType<typeof judgeDelivery>): Promise<void> {
  const { no, id, account_no } = outcome.delivery.endpoint;
  const [before] = await selectHealth(tx, { no });
  if (!before) return;
  const health = judgeEndpoint(before, outcome, after);
  await updateEndpoint(tx, no, health);
  if (before.disabled_at !== null || health.disabled_at === null) return;
  await appendAudit(tx, {
    at: outcome.at,
    accountNo: account_no,
    actor: "system",
    action: "webhook.disabled",
    subject: id,
    details: { reason: health.disabled_by },
  });
}
