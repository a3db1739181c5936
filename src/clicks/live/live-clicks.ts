import type { JournalConsumer, SegmentSlice } from "#clicks/ingestion/journal-consumer.ts";
import { BOT_FLAG, type Click, parseClick } from "#engines/clicks/click-format.ts";
import { noSignals, type Signals } from "#engines/coordination/signals.ts";
import type { Clock } from "#kernel/clock.ts";
import { nextTurn } from "#kernel/next-turn.ts";
import { type LiveClick, LiveExchange } from "./live-exchange.ts";

export interface ClickListener {
  readonly accountNo: number;
  /** Whose stream it is; each listener may open a limited number of them. */
  readonly listenerId: string;
  /** People's clicks, oldest first. */
  readonly onClicks: (clicks: readonly LiveClick[]) => void;
  /** Called when the server stops, or when another account needs its share of the streams. */
  readonly onEnd: () => void;
}

const STREAMS_MAX = 100;
const STREAMS_PER_LISTENER_MAX = 10;
// Older clicks, from catching up on the journal, aren't live.
const RECENT_MS = 60_000;
/** Nobody reads faster than that. */
const CLICKS_PER_BATCH_MAX = 50;

/** Sends clicks to everyone who watches their account, on any node, as the journal is read. */
export class LiveClicks {
  readonly #clock: Clock;
  readonly #listeners = new Set<ClickListener>();
  readonly #exchange: LiveExchange;

  constructor(clock: Clock, signals: Signals = noSignals) {
    this.#clock = clock;
    this.#exchange = new LiveExchange({ signals, onClicks: (accountNo, clicks) => this.#deliver(accountNo, clicks) });
  }

  /** Returns a function that ends the stream, or `null` if too many are open. */
  watch(listener: ClickListener): (() => void) | null {
    const open = [...this.#listeners].filter(({ listenerId }) => listenerId === listener.listenerId);
    if (open.length >= STREAMS_PER_LISTENER_MAX) return null;
    if (this.#listeners.size >= STREAMS_MAX && !this.#makeRoomFor(listener.accountNo)) return null;
    this.#listeners.add(listener);
    this.#tellOthers();
    return () => {
      if (this.#listeners.delete(listener)) this.#tellOthers();
    };
  }

  /** The same consumer, but clicks are sent to listeners once it has stored them. */
  watching(consumer: JournalConsumer): JournalConsumer {
    return {
      ...consumer,
      consume: async (slices) => {
        await consumer.consume(slices);
        await this.#send(slices);
      },
    };
  }

  close(): void {
    for (const { onEnd } of this.#listeners) onEnd();
    this.#listeners.clear();
    this.#exchange.close();
  }

  #tellOthers(): void {
    this.#exchange.setWatched(new Set([...this.#listeners].map(({ accountNo }) => accountNo)));
  }

  /** Ends the oldest stream of the account that has the most, unless it would then have fewer than the newcomer's. */
  #makeRoomFor(accountNo: number): boolean {
    const byAccount = Map.groupBy(this.#listeners, (listener) => listener.accountNo);
    const [most] = [...byAccount.values()].sort((a, b) => b.length - a.length);
    const oldest = most?.[0];
    if (!oldest || most.length - 1 < (byAccount.get(accountNo)?.length ?? 0) + 1) return false;
    this.#listeners.delete(oldest);
    oldest.onEnd();
    return true;
  }

  async #send(slices: readonly SegmentSlice[]): Promise<void> {
    const elsewhere = this.#exchange.watchedElsewhere();
    if (this.#listeners.size + elsewhere.size === 0) return;
    const here = [...this.#listeners].map(({ accountNo }) => accountNo);
    const found = new Map<number, Click[]>([...here, ...elsewhere].map((accountNo) => [accountNo, []]));
    for (const slice of slices) {
      this.#collect(slice, found);
      // Reading a slice takes a few milliseconds; other work gets its turn before the next one.
      await nextTurn();
    }
    for (const [accountNo, all] of found) {
      const clicks = all.sort((a, b) => a.at_ms - b.at_ms).slice(-CLICKS_PER_BATCH_MAX);
      if (clicks.length === 0) continue;
      this.#deliver(accountNo, clicks);
      if (elsewhere.has(accountNo)) this.#exchange.send(accountNo, clicks);
    }
  }

  /** To everyone who watches the account here. */
  #deliver(accountNo: number, clicks: readonly LiveClick[]): void {
    for (const listener of this.#listeners) if (listener.accountNo === accountNo) listener.onClicks(clicks);
  }

  /** Adds the clicks of one slice that may be sent. Most lines of a burst may not, and aren't parsed. */
  #collect({ payload, textsOf }: SegmentSlice, into: ReadonlyMap<number, Click[]>): void {
    const since = this.#clock() - RECENT_MS;
    const recent = new Map<number, string[]>([...into.keys()].map((accountNo) => [accountNo, []]));
    for (const line of payload.toString().split("\n")) {
      const [atMs, accountNo, , flags] = line.split("\t", 4);
      const isBot = (Number(flags) & BOT_FLAG) !== 0;
      if (!isBot && Number(atMs) >= since) recent.get(Number(accountNo))?.push(line);
    }
    for (const [accountNo, lines] of recent) {
      const clicks = lines.slice(-CLICKS_PER_BATCH_MAX).map((line) => parseClick(`${line}\n`, textsOf));
      into.get(accountNo)?.push(...clicks);
    }
  }
}
