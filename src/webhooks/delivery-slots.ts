const IN_FLIGHT_MAX = 50;
const IN_FLIGHT_MAX_PER_ENDPOINT = 5;
/** For all endpoints together whose last attempt took too long. */
const SLOW_IN_FLIGHT_MAX = IN_FLIGHT_MAX / 2;
/** For those and the new ones together, which may turn out to be slow: the quick ones always have the rest. */
const UNPROVEN_IN_FLIGHT_MAX = 40;
const QUEUES_MAX = 10_000;

interface Queue {
  dueAt: number;
  inFlight: number;
  /** How its last attempt went; a new one is not trusted before its first answer. */
  pace: "new" | "quick" | "slow";
}

export interface Order {
  readonly endpointNo: number;
  readonly most: number;
}

/** Decides whose deliveries are sent next. A receiver that hangs costs its own queue only. */
export class DeliverySlots {
  readonly #queues = new Map<number, Queue>();
  #inFlight = 0;

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Something of the endpoint is due then, or earlier. */
  note(endpointNo: number, dueAt: number): void {
    const queue = this.#queueOf(endpointNo);
    queue.dueAt = Math.min(queue.dueAt, dueAt);
  }

  /** Hands out the free places. An endpoint that got some is due again only when `note` says so. */
  take(now: number): Order[] {
    const orders: Order[] = [];
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
      // Served ones go to the end of the line.
      this.#queues.delete(endpointNo);
      this.#queues.set(endpointNo, queue);
      orders.push({ endpointNo, most });
    }
    return orders;
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

  /** When there will be something to do next; what is due already only waits for a place. */
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
