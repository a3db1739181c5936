const IN_FLIGHT_MAX = 50;
const IN_FLIGHT_MAX_PER_ENDPOINT = 5;
/** For all slow endpoints together. */
const SLOW_IN_FLIGHT_MAX = IN_FLIGHT_MAX / 2;
/** For slow and new endpoints together, since new ones may turn out to be slow. The rest is reserved for quick ones. */
const UNPROVEN_IN_FLIGHT_MAX = 40;
const QUEUES_MAX = 10_000;

interface Queue {
  dueAt: number;
  inFlight: number;
  /** By the duration of its last attempt; `new` before the first one. */
  pace: "new" | "quick" | "slow";
}

export interface SlotGrant {
  readonly endpointNo: number;
  readonly most: number;
}

/** Decides whose deliveries are sent next. A receiver that hangs only delays its own queue. */
export class DeliverySlots {
  readonly #queues = new Map<number, Queue>();
  #inFlight = 0;

  get inFlight(): number {
    return this.#inFlight;
  }

  /** The endpoint has a delivery due at `dueAt`. */
  note(endpointNo: number, dueAt: number): void {
    const queue = this.#queueOf(endpointNo);
    queue.dueAt = Math.min(queue.dueAt, dueAt);
  }

  /** Grants the free slots. An endpoint that got some is due again only after another `note`. */
  take(now: number): SlotGrant[] {
    const grants: SlotGrant[] = [];
    let free = IN_FLIGHT_MAX - this.#inFlight;
    let freeSlow = SLOW_IN_FLIGHT_MAX - this.#countInFlight("slow");
    let freeUnproven = UNPROVEN_IN_FLIGHT_MAX - this.#countInFlight("slow") - this.#countInFlight("new");
    for (const [endpointNo, queue] of [...this.#queues]) {
      if (free <= 0) break;
      if (queue.dueAt > now) continue;
      const isQuick = queue.pace === "quick";
      const room = isQuick ? free : Math.min(free, freeUnproven, queue.pace === "slow" ? freeSlow : free);
      const most = Math.min(room, (isQuick ? IN_FLIGHT_MAX_PER_ENDPOINT : 1) - queue.inFlight);
      if (most <= 0) continue;
      free -= most;
      if (!isQuick) freeUnproven -= most;
      if (queue.pace === "slow") freeSlow -= most;
      queue.dueAt = Number.POSITIVE_INFINITY;
      // Round robin: endpoints that got slots go to the end.
      this.#queues.delete(endpointNo);
      this.#queues.set(endpointNo, queue);
      grants.push({ endpointNo, most });
    }
    return grants;
  }

  start(endpointNo: number): void {
    this.#queueOf(endpointNo).inFlight += 1;
    this.#inFlight += 1;
  }

  end(endpointNo: number, wasQuick: boolean): void {
    const queue = this.#queueOf(endpointNo);
    queue.inFlight -= 1;
    queue.pace = wasQuick ? "quick" : "slow";
    this.#inFlight -= 1;
  }

  /** When the next queue becomes due; queues already due are waiting for a slot. */
  nextDueAt(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.#queues.values()) if (dueAt > now && dueAt < next) next = dueAt;
    return next;
  }

  #countInFlight(pace: Queue["pace"]): number {
    let count = 0;
    for (const queue of this.#queues.values()) if (queue.pace === pace) count += queue.inFlight;
    return count;
  }

  #queueOf(endpointNo: number): Queue {
    const known = this.#queues.get(endpointNo);
    if (known) return known;
    if (this.#queues.size >= QUEUES_MAX) this.#forgetIdle();
    const queue: Queue = { dueAt: Number.POSITIVE_INFINITY, inFlight: 0, pace: "new" };
    this.#queues.set(endpointNo, queue);
    return queue;
  }

  #forgetIdle(): void {
    for (const [endpointNo, { dueAt, inFlight }] of this.#queues) {
      if (inFlight === 0 && dueAt === Number.POSITIVE_INFINITY) this.#queues.delete(endpointNo);
    }
  }
}
