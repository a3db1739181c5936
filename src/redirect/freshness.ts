import type { ChangeNotice } from "#engines/coordination/change-messages.ts";
import { type Clock, systemClock } from "#kernel/clock.ts";
import type { LinkKey } from "#kernel/link-key.ts";
import { type StallWatch, watchForStalls } from "#kernel/stall-watch.ts";
import type { ChangeNews } from "./change-news.ts";
import type { LinkCache } from "./link-cache.ts";

export interface NewsSource {
  /** See `newsSince`; rejects while the records engine is unavailable. */
  news(seq: number | null, isBehind: boolean): Promise<ChangeNews | null>;
  /** The cache was told about the changes up to this one. */
  noteSeq?(seq: number): void;
  /** These have changed (`null` for everything), each last with this number: copies before it are out of date. */
  forget?(keys: readonly LinkKey[] | null, seqs?: readonly number[]): void;
}

export interface FreshnessOptions {
  readonly diskTimeoutMs?: number;
  /** Whether other nodes change links, too; control follows them for as long as it can read the log. */
  readonly isShared?: boolean;
  /** The same as control's. */
  readonly clock?: Clock;
}

// If reading takes longer than this, no commit gets through either.
const DISK_TIMEOUT_MS = 250;
// Within which a change holds on every node; control reads the log twice as often.
const CURRENT_MS_MAX = 1000;

/**
 * Keeps the cache from serving stale links. While control announces every change and waits for the acknowledgement, the
 * cache is trusted; otherwise the change log is read before each use.
 */
export class Freshness {
  readonly #log: NewsSource;
  readonly #cache: Pick<LinkCache, "forget" | "clear">;
  readonly #isShared: boolean;
  readonly #clock: Clock;
  readonly #watch: StallWatch;
  /** The current subscription; 0 for none. */
  #subscription = 0;
  #subscriptions = 0;
  #isBehind = true;
  #isStalled = false;
  #seq: number | null = null;
  #reading: PromiseWithResolvers<void> | undefined;
  #isSent = false;
  #next: Promise<void> | undefined;
  /** When everything that anyone had changed was known here. */
  #currentAt = Number.NEGATIVE_INFINITY;
  /** Whether every change is announced, and all earlier ones were read. */
  isTrusted = false;
  /** Whether the cache may be used without waiting for `check`: it is trusted, or the change log can't be read. */
  isUsable = false;

  constructor(
    log: NewsSource,
    cache: Pick<LinkCache, "forget" | "clear">,
    { diskTimeoutMs = DISK_TIMEOUT_MS, isShared = false, clock = systemClock }: FreshnessOptions = {},
  ) {
    this.#log = log;
    this.#cache = cache;
    this.#isShared = isShared;
    this.#clock = clock;
    this.#watch = watchForStalls(diskTimeoutMs, () => this.#giveUp());
  }

  /**
   * Whether a key that nobody had is still free. While the log can't be read, someone may have created the link, and
   * only the records know. Known links are served all the same.
   */
  get knowsNewLinks(): boolean {
    if (this.isTrusted && !this.#isShared) return true;
    const ageMs = this.#clock() - this.#currentAt;
    // A clock that was set back says nothing until control has read the log again.
    return ageMs >= 0 && ageMs < CURRENT_MS_MAX;
  }

  /**
   * Brings the cache up to the newest commit at the time of the call. If the records engine is unavailable or the disk
   * doesn't respond, the cache keeps what it has, however old.
   */
  check(): Promise<void> {
    if (this.isUsable) return Promise.resolve();
    if (this.#reading === undefined) return this.#read();
    if (!this.#isSent) return this.#reading.promise;
    // The read in progress may have started before this call's newest commit.
    this.#next ??= this.#reading.promise.then(() => {
      this.#next = undefined;
      return this.check();
    });
    return this.#next;
  }

  onWelcome(): void {
    this.#subscriptions += 1;
    this.#subscription = this.#subscriptions;
    this.#isBehind = true;
    void this.check();
  }

  onLost(): void {
    this.#subscription = 0;
    this.#setState(false, this.#isStalled);
  }

  onChanges({ seq, keys, seqs, inDoubt }: Omit<ChangeNotice, "n">): void {
    if (inDoubt) {
      this.onLost();
      this.onWelcome();
      return;
    }
    this.#log.noteSeq?.(seq);
    this.#log.forget?.(keys, seqs);
    this.#drop(keys);
    // Until the cache has caught up, earlier changes still have to be read.
    if (this.isTrusted) this.#seq = seq;
  }

  /** Everything that was changed by this time has been announced. */
  onCurrent(at: number): void {
    // Until the cache has caught up, what was changed before the welcome is unknown.
    if (this.isTrusted) this.#currentAt = at;
  }

  close(): void {
    this.#watch.stop();
  }

  /** One read serves everything that arrives in an event loop iteration. */
  #read(): Promise<void> {
    this.#reading = Promise.withResolvers();
    this.#isSent = false;
    setImmediate(() => this.#send());
    return this.#reading.promise;
  }

  #send(): void {
    const subscription = this.#subscription;
    const sentAt = this.#clock();
    this.#isSent = true;
    this.#watch.begin();
    this.#log.news(this.#seq, this.#isBehind).then(
      (news) => {
        this.#currentAt = sentAt;
        this.#take(news, subscription);
      },
      () => {
        this.#isBehind = true;
        this.#end(false);
      },
    );
  }

  #take(news: ChangeNews | null, subscription: number): void {
    if (news !== null) {
      this.#drop(news.keys);
      this.#seq = news.seq;
    }
    // Commits after the log was read and before the welcome haven't been announced.
    const isCurrent = subscription === this.#subscription;
    if (isCurrent) this.#isBehind = false;
    this.#end(isCurrent && subscription !== 0);
    if (!isCurrent && this.#subscription !== 0) void this.check();
  }

  #end(isTrusted: boolean): void {
    const reading = this.#reading;
    this.#watch.end();
    this.#reading = undefined;
    this.#setState(isTrusted, false);
    reading?.resolve();
  }

  #giveUp(): void {
    this.#setState(false, true);
    this.#reading?.resolve();
  }

  #setState(isTrusted: boolean, isStalled: boolean): void {
    this.isTrusted = isTrusted;
    this.#isStalled = isStalled;
    this.isUsable = isTrusted || isStalled;
  }

  #drop(keys: readonly LinkKey[] | null): void {
    if (keys === null) this.#cache.clear();
    else for (const key of keys) this.#cache.forget(key);
  }
}
