import type { Click } from "#clicks/click-columns.ts";
import { parseClickLine } from "#clicks/click-line.ts";
import type { JournalConsumer, SegmentSlice } from "#clicks/ingestion/journal-consumer.ts";
import type { Clock } from "#kernel/clock.ts";
import { nextTurn } from "#kernel/next-turn.ts";

export interface ClickListener {
  readonly accountNo: number;
  /** Who listens; the same one may do so in some places only. */
  readonly listenerId: string;
  /** People's clicks, oldest first. */
  readonly onClicks: (clicks: readonly Click[]) => void;
  /** The server stops, or another account has less than its share of the places. */
  readonly onEnd: () => void;
}

const LISTENERS_MAX = 100;
const PLACES_MAX = 10;
// A journal that was left behind is caught up on without anybody watching it.
const RECENT_MS = 60_000;
/** No one reads faster than that. */
const CLICKS_PER_TURN = 50;

/** Sends clicks to everyone who watches their account, as the journal is read. */
export class LiveClicks {
  readonly #clock: Clock;
  readonly #listeners = new Set<ClickListener>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns what ends the watching, or `null` where too many watch already. */
  watch(listener: ClickListener): (() => void) | null {
    const places = [...this.#listeners].filter(({ listenerId }) => listenerId === listener.listenerId);
    if (places.length >= PLACES_MAX) return null;
    if (this.#listeners.size >= LISTENERS_MAX && !this.#makeRoomFor(listener.accountNo)) return null;
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The same consumer, whose clicks are told once it has stored them. */
  watching(consumer: JournalConsumer): JournalConsumer {
    return {
      ...consumer,
      consume: async (slices) => {
        await consumer.consume(slices);
        await this.#tell(slices);
      },
    };
  }

  close(): void {
    for (const { onEnd } of this.#listeners) onEnd();
    this.#listeners.clear();
  }

  /** Ends the oldest watching of the account that has most, unless that would leave it with fewer than the newcomer's. */
  #makeRoomFor(accountNo: number): boolean {
    const byAccount = Map.groupBy(this.#listeners, (listener) => listener.accountNo);
    const [most] = [...byAccount.values()].sort((a, b) => b.length - a.length);
    const oldest = most?.[0];
    if (!oldest || most.length - 1 < (byAccount.get(accountNo)?.length ?? 0) + 1) return false;
    this.#listeners.delete(oldest);
    oldest.onEnd();
    return true;
  }

  async #tell(slices: readonly SegmentSlice[]): Promise<void> {
    if (this.#listeners.size === 0) return;
    const found = new Map<number, Click[]>([...this.#listeners].map(({ accountNo }) => [accountNo, []]));
    for (const { payload } of slices) {
      this.#collect(payload, found);
      // Reading a slice takes a few milliseconds; the event loop is let go before the next one.
      await nextTurn();
    }
    for (const { accountNo, onClicks } of this.#listeners) {
      const clicks = (found.get(accountNo) ?? []).sort((a, b) => a.at_ms - b.at_ms).slice(-CLICKS_PER_TURN);
      if (clicks.length > 0) onClicks(clicks);
    }
  }

  /** Adds what may be told of one slice. Most lines of a burst are not, and are not parsed either. */
  #collect(payload: Buffer, into: ReadonlyMap<number, Click[]>): void {
    const since = this.#clock() - RECENT_MS;
    const recent = new Map<number, string[]>([...into.keys()].map((accountNo) => [accountNo, []]));
    for (const line of payload.toString().split("\n")) {
      const [atMs, accountNo, , bot] = line.split("\t", 4);
      if (bot === "0" && Number(atMs) >= since) recent.get(Number(accountNo))?.push(line);
    }
    for (const [accountNo, lines] of recent) {
      const clicks = lines.slice(-CLICKS_PER_TURN).map((line) => parseClickLine(`${line}\n`));
      into.get(accountNo)?.push(...clicks);
    }
  }
}
