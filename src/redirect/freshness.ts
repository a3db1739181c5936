import type { ChangeNotice } from "#engines/coordination/change-messages.ts";
import { type StallWatch, watchForStalls } from "#kernel/stall-watch.ts";
import type { ChangeNews } from "./change-news.ts";
import type { LinkCache } from "./link-cache.ts";

export interface NewsSource {
  /** See `newsSince`; rejects while the records engine is away. */
  news(seq: number | null, isBehind: boolean): Promise<ChangeNews | null>;
}

// A disk that takes longer to read than this lets nobody commit either.
const DISK_TIMEOUT_MS = 250;

/**
 * Keeps the cache from serving what was before a change. While control tells every change and waits for the
 * acknowledgement, the cache is trusted; otherwise the change log is read before each use.
 */
export class Freshness {
  readonly #log: NewsSource;
  readonly #cache: Pick<LinkCache, "forget" | "clear">;
  readonly #watch: StallWatch;
  /** Which subscription is the current one; 0 for none. */
  #subscription = 0;
  #subscriptions = 0;
  #isBehind = true;
  #isStalled = false;
  #seq: number | null = null;
  #asking: PromiseWithResolvers<void> | undefined;
  #isAsked = false;
  #next: Promise<void> | undefined;
  /** Whether every change is told, and all before were read. */
  isTrusted = false;
  /** Whether the cache may be used without waiting for `check`: it is trusted, or nobody can say anything about it. */
  isUsable = false;

  constructor(log: NewsSource, cache: Pick<LinkCache, "forget" | "clear">, diskTimeoutMs = DISK_TIMEOUT_MS) {
    this.#log = log;
    this.#cache = cache;
    this.#watch = watchForStalls(diskTimeoutMs, () => this.#giveUp());
  }

  /**
   * Brings the cache up to the newest commit at the time of the call. With the records engine away, or a disk that does
   * not answer, it keeps what it has, however old.
   */
  check(): Promise<void> {
    if (this.isUsable) return Promise.resolve();
    if (this.#asking === undefined) return this.#ask();
    if (!this.#isAsked) return this.#asking.promise;
    // What is asked already may have been read before this call.
    this.#next ??= this.#asking.promise.then(() => {
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

  onChanges({ seq, slugs }: Omit<ChangeNotice, "n">): void {
    this.#drop(slugs);
    // While it is not caught up, earlier changes are still to be read.
    if (this.isTrusted) this.#seq = seq;
  }

  close(): void {
    this.#watch.stop();
  }

  /** Once for everything that a turn of the event loop brings. */
  #ask(): Promise<void> {
    this.#asking = Promise.withResolvers();
    this.#isAsked = false;
    setImmediate(() => this.#send());
    return this.#asking.promise;
  }

  #send(): void {
    const subscription = this.#subscription;
    this.#isAsked = true;
    this.#watch.begin();
    this.#log.news(this.#seq, this.#isBehind).then(
      (news) => this.#take(news, subscription),
      () => {
        this.#isBehind = true;
        this.#end(false);
      },
    );
  }

  #take(news: ChangeNews | null, subscription: number): void {
    if (news !== null) {
      this.#drop(news.slugs);
      this.#seq = news.seq;
    }
    // What was committed before the welcome and after the log was read has not been told.
    const isCurrent = subscription === this.#subscription;
    if (isCurrent) this.#isBehind = false;
    this.#end(isCurrent && subscription !== 0);
    if (!isCurrent && this.#subscription !== 0) void this.check();
  }

  #end(isTrusted: boolean): void {
    const asked = this.#asking;
    this.#watch.end();
    this.#asking = undefined;
    this.#setState(isTrusted, false);
    asked?.resolve();
  }

  #giveUp(): void {
    this.#setState(false, true);
    this.#asking?.resolve();
  }

  #setState(isTrusted: boolean, isStalled: boolean): void {
    this.isTrusted = isTrusted;
    this.#isStalled = isStalled;
    this.isUsable = isTrusted || isStalled;
  }

  #drop(slugs: readonly string[] | null): void {
    if (slugs === null) this.#cache.clear();
    else for (const slug of slugs) this.#cache.forget(slug);
  }
}
