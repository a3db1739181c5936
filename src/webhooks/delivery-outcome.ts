import type { Selectable } from "kysely";
import type { WebhookDeliveriesTable, WebhookEndpointsTable } from "#engines/records/schema.ts";
import type { ClaimedDelivery } from "./delivery-queue.store.ts";
import { findRetryDelayMs } from "./retry-schedule.ts";

/** The result of one attempt. */
export interface Outcome {
  readonly delivery: ClaimedDelivery;
  /** When it started. */
  readonly at: number;
  /** What comes next is scheduled from here: a receiver that takes its time has had that time. */
  readonly endedAt: number;
  readonly status: number | null;
  readonly problem: string | null;
  readonly retryAfter: string | null;
  readonly durationMs: number;
  readonly excerpt: string;
}

type Delivery = Pick<Selectable<WebhookDeliveriesTable>, "state" | "attempts" | "next_at">;
type EndpointHealth = Pick<
  Selectable<WebhookEndpointsTable>,
  "failing_since" | "last_failure_at" | "exhausted_at" | "disabled_at" | "disabled_by"
>;

const HOUR_MS = 3_600_000;
const FAILING_MS_MAX = 120 * HOUR_MS;
// Longer than any retry delay: failures further apart don't count as one ongoing failure.
const FAILURE_GAP_MS_MAX = 60 * HOUR_MS;
const GONE = 410;
const TOO_MANY_REQUESTS = 429;

export const isSuccess = ({ status }: Pick<Outcome, "status">): boolean =>
  status !== null && status >= 200 && status < 300;

/** Nothing was sent on purpose, so the receiver isn't to blame. */
export const isSkipped = ({ problem }: Pick<Outcome, "problem">): boolean => problem === "skipped_demo";

/** The delivery's state after the attempt. */
export function deliveryAfter(outcome: Outcome, random?: () => number): Delivery {
  const { delivery, status, problem, retryAfter, endedAt: at } = outcome;
  const attempts = delivery.attempts + (delivery.isManual ? 0 : 1);
  if (isSuccess(outcome)) return { state: "delivered", attempts, next_at: null };
  if (status === GONE || isSkipped(outcome)) return { state: finalState(delivery), attempts, next_at: null };
  // A manual attempt isn't retried, but a delivery that was pending anyway keeps its schedule.
  if (delivery.isManual && (delivery.state !== "pending" || delivery.event === "webhook.test")) {
    return { state: finalState(delivery), attempts, next_at: null };
  }
  const isOverloaded = problem === "timeout" || status === TOO_MANY_REQUESTS;
  const delayMs = findRetryDelayMs({ attempts: Math.max(1, attempts), isOverloaded, retryAfter, now: at }, random);
  return delayMs === null
    ? { state: "failed", attempts, next_at: null }
    : { state: "pending", attempts, next_at: at + delayMs };
}

/** A delivered delivery stays delivered. */
const finalState = ({ state }: ClaimedDelivery): Delivery["state"] => (state === "delivered" ? state : "failed");

/** The endpoint's health after a failure: five days without a success disable it, a 410 does so at once. */
export function healthAfter(
  before: EndpointHealth,
  { delivery, status, endedAt: at }: Outcome,
  after: Delivery,
): EndpointHealth {
  const wasFailing = before.failing_since !== null && at - (before.last_failure_at ?? 0) < FAILURE_GAP_MS_MAX;
  const failing_since = wasFailing ? before.failing_since : at;
  // A manual attempt says nothing about the schedule.
  const isExhausted = after.state === "failed" && !delivery.isManual;
  const health = {
    ...before,
    failing_since,
    last_failure_at: at,
    exhausted_at: before.exhausted_at ?? (isExhausted ? at : null),
  };
  if (before.disabled_at !== null) return health;
  if (status === GONE) return { ...health, disabled_at: at, disabled_by: "gone" };
  if (at - (failing_since ?? at) >= FAILING_MS_MAX) return { ...health, disabled_at: at, disabled_by: "failing" };
  return health;
}
