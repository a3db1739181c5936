import type { OutboundClient } from "#engines/outbound/outbound-client.ts";
import type { Records } from "#engines/records/records.ts";
import type { Clock } from "#kernel/clock.ts";
import { newUlid } from "#kernel/ids.ts";
import { LEASE_MS, outlivesAttempt, RENEW_MS } from "./delivery-lease.ts";
import { isSuccess, type Outcome } from "./delivery-outcome.ts";
import {
  bringForward,
  type ClaimedDelivery,
  claimDue,
  listDueQueues,
  releaseLeases,
  renewLease,
} from "./delivery-queue.store.ts";
import { DeliverySlots, type SlotGrant } from "./delivery-slots.ts";
import type { SecretBox } from "./endpoint-secret.ts";
import { RETRY_DELAY_MS_MAX } from "./retry-schedule.ts";
import { sendDelivery } from "./send-delivery.ts";
import { type DisabledEndpoint, settleOutcome } from "./settle-outcome.ts";

export interface WorkerOptions {
  readonly records: Records;
  readonly client: OutboundClient;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  /** This node's leases are released on start; those of other nodes expire by themselves. */
  readonly node: string;
  readonly onProblem: (message: string, error: unknown) => void;
  /** Called after the change is committed. */
  readonly onDisabled: (endpoint: DisabledEndpoint) => void;
  /** How often leases are renewed. */
  readonly renewMs?: number;
}

export interface DeliveryStats {
  /** Attempts by result: `delivered`, `refused` by the receiver, or the problem if there was no response. */
  readonly attempts: Readonly<Record<string, number>>;
  readonly inFlight: number;
}

export interface DeliveryWorker {
  stats(): DeliveryStats;
  /** These endpoints have deliveries due. */
  wake(endpoints: Iterable<number>): void;
  /** Waits briefly for deliveries being sent, then aborts them and releases their leases. */
  stop(): Promise<void>;
}

interface Claimed {
  readonly endpointNo: number;
  readonly claimed: readonly ClaimedDelivery[];
  readonly nextDueAt: number | null;
  readonly disabled: DisabledEndpoint | null;
}

/** Finds deliveries nobody announced: from other nodes, and from leases that expired. */
const SCAN_MS = 10_000;
const QUICK_MS_MAX = 5000;
const STOP_MS_MAX = 2000;
const RETRY_MS = 1000;

/**
 * Sends due deliveries. Outcomes and new claims share a transaction, so a busy worker commits once per round.
 * It is no `startLoop`: the queues say when the next round is due, and rounds go on while it stops.
 */
export function startDeliveries(options: WorkerOptions): DeliveryWorker {
  const { records, client, secrets, clock, node, onProblem, onDisabled, renewMs = RENEW_MS } = options;
  const lease = `${node}:${newUlid()}`;
  const slots = new DeliverySlots();
  const attempts: Record<string, number> = { delivered: 0, refused: 0 };
  const sends = new Set<Promise<void>>();
  /** From the claim until the outcome is committed. */
  const held = new Set<number>();
  const aborting = new AbortController();
  const sender = { client, secrets, clock, signal: aborting.signal };
  let outcomes: Outcome[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  let isRoundRequested = false;
  let isStopping = false;
  let scannedAt = Number.NEGATIVE_INFINITY;

  /** Runs one round at a time; requests during a round are handled by the next one. */
  const requestRound = (): void => {
    isRoundRequested = true;
    if (isRunning) return;
    isRunning = true;
    running = run();
  };

  const run = async (): Promise<void> => {
    clearTimeout(timer);
    let retryAt = Number.POSITIVE_INFINITY;
    while (isRoundRequested) {
      isRoundRequested = false;
      try {
        await runRound();
      } catch (error) {
        onProblem("sending webhooks failed and will be retried", error);
        retryAt = clock() + RETRY_MS;
      }
    }
    isRunning = false;
    if (isStopping) return;
    const waitMs = Math.min(slots.nextDueAt(clock()), retryAt) - clock();
    timer = setTimeout(requestRound, Math.max(1, Math.min(waitMs, SCAN_MS))).unref();
  };

  const scanQueues = async (): Promise<void> => {
    const latest = clock() + RETRY_DELAY_MS_MAX + LEASE_MS;
    for (const { endpointNo, dueAt } of await listDueQueues(records.read)) {
      // Postponed while a clock was ahead, so it would be due days or years too late.
      if (dueAt > latest) await records.write((tx) => bringForward(tx, { endpointNo, latest, now: clock() }));
      slots.note(endpointNo, dueAt > latest ? clock() : dueAt);
    }
  };

  const runRound = async (): Promise<void> => {
    // The monotonic clock never jumps.
    if (performance.now() - scannedAt >= SCAN_MS && !isStopping) {
      await scanQueues();
      scannedAt = performance.now();
    }
    const ended = outcomes;
    const grants = isStopping ? [] : slots.take(clock());
    if (ended.length === 0 && grants.length === 0) return;
    outcomes = [];
    try {
      const claims = await commit(ended, grants);
      for (const { delivery } of ended) held.delete(delivery.no);
      for (const { endpointNo, claimed, nextDueAt, disabled } of claims) {
        if (nextDueAt !== null) slots.note(endpointNo, nextDueAt);
        for (const delivery of claimed) start(delivery);
        if (disabled !== null) onDisabled(disabled);
      }
      isRoundRequested ||= grants.length > 0;
    } catch (error) {
      outcomes = [...ended, ...outcomes];
      for (const { endpointNo } of grants) slots.note(endpointNo, clock() + RETRY_MS);
      throw error;
    }
  };

  const commit = (ended: readonly Outcome[], grants: readonly SlotGrant[]) =>
    records.write(async (tx) => {
      const claims: Claimed[] = [];
      for (const outcome of ended) {
        const settled = await settleOutcome(tx, outcome);
        claims.push({ endpointNo: outcome.delivery.endpoint.no, claimed: [], ...settled });
      }
      const now = clock();
      for (const grant of grants) {
        const { claimed, nextDueAt } = await claimDue(tx, { ...grant, lease, now, until: now + LEASE_MS });
        claims.push({ endpointNo: grant.endpointNo, claimed, nextDueAt, disabled: null });
      }
      return claims;
    });

  const start = (delivery: ClaimedDelivery): void => {
    // The commit took too long. Whoever claims it next has the whole lease again.
    if (!outlivesAttempt(delivery.leasedUntil, clock())) {
      slots.note(delivery.endpoint.no, delivery.leasedUntil);
      return;
    }
    slots.start(delivery.endpoint.no);
    held.add(delivery.no);
    const sending = send(delivery).finally(() => sends.delete(sending));
    sends.add(sending);
  };

  const send = async (delivery: ClaimedDelivery): Promise<void> => {
    const outcome = await sendDelivery(delivery, sender);
    slots.end(delivery.endpoint.no, outcome.problem !== "timeout" && outcome.durationMs <= QUICK_MS_MAX);
    // An aborted delivery is released with its lease; the receiver didn't fail.
    if (!aborting.signal.aborted) {
      const result = resultOf(outcome);
      attempts[result] = (attempts[result] ?? 0) + 1;
      outcomes.push(outcome);
    }
    requestRound();
  };

  const renewal = setInterval(() => {
    if (held.size === 0) return;
    records
      .write((tx) => renewLease(tx, { held: [...held], lease, until: clock() + LEASE_MS }))
      .catch((error: unknown) => onProblem("can't renew webhook delivery leases", error));
  }, renewMs).unref();

  records
    .write((tx) => releaseLeases(tx, `${node}:`, clock()))
    .catch((error: unknown) => onProblem("can't release webhook delivery leases", error))
    .finally(requestRound);

  return {
    stats: () => ({ attempts: { ...attempts }, inFlight: slots.inFlight }),

    wake(endpoints) {
      for (const endpointNo of endpoints) slots.note(endpointNo, clock());
      requestRound();
    },

    async stop() {
      isStopping = true;
      clearTimeout(timer);
      clearInterval(renewal);
      await running;
      await Promise.race([Promise.all(sends), Bun.sleep(STOP_MS_MAX)]);
      aborting.abort();
      await Promise.all(sends);
      await running;
      // Otherwise they expire by themselves.
      await records
        .write((tx) => releaseLeases(tx, lease, clock()))
        .catch((error: unknown) => onProblem("can't release webhook delivery leases", error));
    },
  };
}

const resultOf = (outcome: Outcome): string => (isSuccess(outcome) ? "delivered" : (outcome.problem ?? "refused"));
