import type { OutboundClient } from "#engines/outbound/outbound-client.ts";
import type { Records } from "#engines/records/records.ts";
import type { Clock } from "#kernel/clock.ts";
import { newUlid } from "#kernel/ids.ts";
import { isSuccess, type Outcome } from "./delivery-outcome.ts";
import {
  bringForward,
  type ClaimedDelivery,
  claimDue,
  listDueQueues,
  releaseLeases,
  renewLease,
} from "./delivery-queue.store.ts";
import { DeliverySlots, type Order } from "./delivery-slots.ts";
import type { SecretBox } from "./endpoint-secret.ts";
import { PAUSE_MS_MAX } from "./retry-schedule.ts";
import { sendDelivery } from "./send-delivery.ts";
import { type SwitchedOff, settleOutcome } from "./settle-outcome.ts";

export interface WorkerOptions {
  readonly records: Records;
  readonly client: OutboundClient;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  /** Leases of this node are taken back at the start; other nodes' end by themselves. */
  readonly node: string;
  readonly onProblem: (message: string, error: unknown) => void;
  /** Told once the change is committed. */
  readonly onSwitchedOff: (endpoint: SwitchedOff) => void;
}

export interface DeliveryStats {
  /** How many attempts were `delivered`, `refused` by the receiver, or got no answer, by the problem. */
  readonly attempts: Readonly<Record<string, number>>;
  readonly inFlight: number;
}

export interface DeliveryWorker {
  stats(): DeliveryStats;
  /** Something of these endpoints is due. */
  wake(endpoints: Iterable<number>): void;
  /** Ends what is under way, or gives it back. */
  stop(): Promise<void>;
}

interface Claimed {
  readonly endpointNo: number;
  readonly claimed: readonly ClaimedDelivery[];
  readonly nextDueAt: number | null;
  readonly switchedOff: SwitchedOff | null;
}

const LEASE_MS = 20_000;
const RENEW_MS = 10_000;
/** For what nobody tells of: deliveries of another node, and leases of one that died. */
const LOOK_MS = 10_000;
const QUICK_MS_MAX = 5000;
const STOP_MS_MAX = 2000;
const RETRY_MS = 1000;

/** Sends what is due. Outcomes and new claims share a transaction, so that a busy worker commits once per round. */
export function startDeliveries(options: WorkerOptions): DeliveryWorker {
  const { records, client, secrets, clock, node, onProblem, onSwitchedOff } = options;
  const lease = `${node}:${newUlid()}`;
  const slots = new DeliverySlots();
  const attempts: Record<string, number> = { delivered: 0, refused: 0 };
  const underWay = new Set<Promise<void>>();
  const breakOff = new AbortController();
  const sender = { client, secrets, clock, signal: breakOff.signal };
  let outcomes: Outcome[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  let isWanted = false;
  let isStopping = false;
  let lookedAt = Number.NEGATIVE_INFINITY;

  /** At most one round at a time; whatever comes meanwhile is taken up by the next. */
  const turn = (): void => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    running = run();
  };

  const run = async (): Promise<void> => {
    clearTimeout(timer);
    let retryAt = Number.POSITIVE_INFINITY;
    while (isWanted) {
      isWanted = false;
      try {
        await runRound();
      } catch (error) {
        onProblem("webhooks wait, and are tried again", error);
        retryAt = clock() + RETRY_MS;
      }
    }
    isRunning = false;
    if (isStopping) return;
    const waitMs = Math.min(slots.nextDueAt(clock()), retryAt) - clock();
    timer = setTimeout(turn, Math.max(1, Math.min(waitMs, LOOK_MS))).unref();
  };

  const lookAtQueues = async (): Promise<void> => {
    const latest = clock() + PAUSE_MS_MAX + LEASE_MS;
    for (const { endpointNo, dueAt } of await listDueQueues(records.read)) {
      // Put off by a clock that was ahead: the time would come, but days or years too late.
      if (dueAt > latest) await records.write((tx) => bringForward(tx, { endpointNo, latest, now: clock() }));
      slots.note(endpointNo, dueAt > latest ? clock() : dueAt);
    }
  };

  const runRound = async (): Promise<void> => {
    // By a clock that never jumps.
    if (performance.now() - lookedAt >= LOOK_MS && !isStopping) {
      await lookAtQueues();
      lookedAt = performance.now();
    }
    const ended = outcomes;
    const orders = isStopping ? [] : slots.take(clock());
    if (ended.length === 0 && orders.length === 0) return;
    outcomes = [];
    try {
      for (const { endpointNo, claimed, nextDueAt, switchedOff } of await commit(ended, orders)) {
        if (nextDueAt !== null) slots.note(endpointNo, nextDueAt);
        for (const delivery of claimed) start(delivery);
        if (switchedOff !== null) onSwitchedOff(switchedOff);
      }
      isWanted ||= orders.length > 0;
    } catch (error) {
      outcomes = [...ended, ...outcomes];
      for (const { endpointNo } of orders) slots.note(endpointNo, clock() + RETRY_MS);
      throw error;
    }
  };

  const commit = (ended: readonly Outcome[], orders: readonly Order[]) =>
    records.write(async (tx) => {
      const claims: Claimed[] = [];
      for (const outcome of ended) {
        const settled = await settleOutcome(tx, outcome);
        claims.push({ endpointNo: outcome.delivery.endpoint.no, claimed: [], ...settled });
      }
      const now = clock();
      for (const order of orders) {
        const { claimed, nextDueAt } = await claimDue(tx, { ...order, lease, now, until: now + LEASE_MS });
        claims.push({ endpointNo: order.endpointNo, claimed, nextDueAt, switchedOff: null });
      }
      return claims;
    });

  const start = (delivery: ClaimedDelivery): void => {
    slots.start(delivery.endpoint.no);
    const sending = send(delivery).finally(() => underWay.delete(sending));
    underWay.add(sending);
  };

  const send = async (delivery: ClaimedDelivery): Promise<void> => {
    const outcome = await sendDelivery(delivery, sender);
    slots.end(delivery.endpoint.no, outcome.problem !== "timeout" && outcome.durationMs <= QUICK_MS_MAX);
    // What was broken off goes back with the lease; it was no failure of the receiver.
    if (!breakOff.signal.aborted) {
      const word = wordOf(outcome);
      attempts[word] = (attempts[word] ?? 0) + 1;
      outcomes.push(outcome);
    }
    turn();
  };

  const renewal = setInterval(() => {
    if (slots.inFlight === 0) return;
    records
      .write((tx) => renewLease(tx, lease, clock() + LEASE_MS))
      .catch((error: unknown) => onProblem("leases of webhook deliveries were not renewed", error));
  }, RENEW_MS).unref();

  records
    .write((tx) => releaseLeases(tx, `${node}:`, clock()))
    .catch((error: unknown) => onProblem("leases of webhook deliveries were not released", error))
    .finally(turn);

  return {
    stats: () => ({ attempts: { ...attempts }, inFlight: slots.inFlight }),

    wake(endpoints) {
      for (const endpointNo of endpoints) slots.note(endpointNo, clock());
      turn();
    },

    async stop() {
      isStopping = true;
      clearTimeout(timer);
      clearInterval(renewal);
      await running;
      await Promise.race([Promise.all(underWay), Bun.sleep(STOP_MS_MAX)]);
      breakOff.abort();
      await Promise.all(underWay);
      await running;
      await records.write((tx) => releaseLeases(tx, lease, clock()));
    },
  };
}

const wordOf = (outcome: Outcome): string => (isSuccess(outcome) ? "delivered" : (outcome.problem ?? "refused"));
