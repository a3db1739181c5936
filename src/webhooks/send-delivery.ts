import { type OutboundClient, OutboundError } from "#engines/outbound/outbound-client.ts";
import type { Clock } from "#kernel/clock.ts";
import { deliveryHeaders } from "./delivery-headers.ts";
import { ATTEMPT_MS_MAX } from "./delivery-lease.ts";
import type { Outcome } from "./delivery-outcome.ts";
import type { ClaimedDelivery } from "./delivery-queue.store.ts";
import type { SecretBox } from "./endpoint-secret.ts";
import { excerptOf, RESPONSE_BYTES_MAX } from "./response-excerpt.ts";
import { ATTEMPTS_MAX } from "./retry-schedule.ts";

// The status decides the outcome; the body is only logged.
const LOGGED_BODY_MS_MAX = 2000;

export interface Sender {
  readonly client: OutboundClient;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Makes one attempt. Never throws: failures are outcomes too. */
export async function sendDelivery(delivery: ClaimedDelivery, sender: Sender): Promise<Outcome> {
  const { client, clock, signal } = sender;
  const at = clock();
  const nothing = {
    delivery,
    at,
    endedAt: at,
    status: null,
    problem: null,
    retryAfter: null,
    durationMs: 0,
    excerpt: "",
  };
  const secrets = findSecrets(delivery, sender.secrets, at);
  if (!secrets) return { ...nothing, problem: "secret_unreadable" };
  const body = Buffer.from(delivery.body);
  const headers = deliveryHeaders({
    deliveryId: delivery.id,
    event: delivery.event,
    attempt: Math.min(delivery.attempts + 1, ATTEMPTS_MAX),
    body,
    secrets,
    t: Math.floor(at / 1000),
  });
  const { url } = delivery.endpoint;
  try {
    const limits = { timeoutMs: ATTEMPT_MS_MAX, bodyMsMax: LOGGED_BODY_MS_MAX, readBytesMax: RESPONSE_BYTES_MAX };
    const request = { url, headers, body, ...limits, signal };
    const { status, retryAfter, body: response, durationMs } = await client.post(request);
    return {
      ...nothing,
      endedAt: clock(),
      status,
      retryAfter,
      durationMs: Math.round(durationMs),
      excerpt: excerptOf(response),
    };
  } catch (error) {
    const { problem, durationMs } = error instanceof OutboundError ? error : { problem: "failed", durationMs: 0 };
    return { ...nothing, endedAt: clock(), problem, durationMs: Math.round(durationMs) };
  }
}

/** Returns `null` if the current secret was stored with a different deployment key. */
function findSecrets({ endpoint }: ClaimedDelivery, box: SecretBox, now: number): string[] | null {
  const { id, secret, old_secret, old_secret_until } = endpoint;
  const current = findSecret(secret, id, box);
  if (current === null) return null;
  const old = old_secret !== null && (old_secret_until ?? 0) > now ? findSecret(old_secret, id, box) : null;
  return old === null ? [current] : [current, old];
}

function findSecret(sealed: string, endpointId: string, box: SecretBox): string | null {
  try {
    return box.open(sealed, endpointId);
  } catch {
    return null;
  }
}
