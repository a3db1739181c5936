import type { Selectable } from "kysely";
import type { WebhookDeliveriesTable, WebhookEndpointsTable } from "#engines/records/schema.ts";
import type { ClaimedDelivery } from "./delivery-queue.store.ts";
import { findPauseMs } from "./retry-schedule.ts";

/** What came of one attempt. */
export interface Outcome {
  readonly delivery: ClaimedDelivery;
  readonly at: number;
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
// Longer than any pause between two attempts: failures further apart are not one failure that goes on.
const UNHEARD_MS_MAX = 60 * HOUR_MS;
const GONE = 410;
const TOO_MANY_REQUESTS = 429;

export const isSuccess = ({ status }: Pick<Outcome, "status">): boolean =>
  status !== null && status >= 200 && status < 300;

/** Nothing was sent, and nothing is going to be; the receiver has no part in it. */
export const isSkipped = ({ problem }: Pick<Outcome, "problem">): boolean => problem === "skipped_demo";

/** Where the delivery stands after the attempt. */
export function judgeDelivery(outcome: Outcome, random?: () => number): Delivery {
  const { delivery, status, problem, retryAfter, at } = outcome;
  const attempts = delivery.attempts + (delivery.isManual ? 0 : 1);
  if (isSuccess(outcome)) return { state: "delivered", attempts, next_at: null };
  if (status === GONE || isSkipped(outcome)) return { state: stateGivenUp(delivery), attempts, next_at: null };
  // One try was asked for. Only a delivery that was waiting for its next one anyway goes on waiting.
  if (delivery.isManual && (delivery.state !== "pending" || delivery.event === "webhook.test")) {
    return { state: stateGivenUp(delivery), attempts, next_at: null };
  }
  const isOverloaded = problem === "timeout" || status === TOO_MANY_REQUESTS;
  const pauseMs = findPauseMs({ attempts: Math.max(1, attempts), isOverloaded, retryAfter, now: at }, random);
  return pauseMs === null
    ? { state: "failed", attempts, next_at: null }
    : { state: "pending", attempts, next_at: at + pauseMs };
}

/** What was delivered once stays so. */
const stateGivenUp = ({ state }: ClaimedDelivery): Delivery["state"] => (state === "delivered" ? state : "failed");

/** How a failure leaves the endpoint: after five days without a success it is switched off, after 410 at once. */
export function judgeEndpoint(
  before: EndpointHealth,
  { delivery, status, at }: Outcome,
  after: Delivery,
): EndpointHealth {
  const wasFailing = before.failing_since !== null && at - (before.last_failure_at ?? 0) < UNHEARD_MS_MAX;
  const failing_since = wasFailing ? before.failing_since : at;
  // A single attempt that somebody asked for says nothing about the schedule.
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
