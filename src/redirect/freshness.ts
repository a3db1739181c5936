import type { ChangeNotice } from "#engines/coordination/change-messages.ts";
import type { RedirectReader } from "#engines/records/redirect-reader.ts";
import type { LinkCache } from "./link-cache.ts";

type Log = Pick<RedirectReader, "changesSince" | "lastSeq" | "hasForeignCommit">;

/**
 * Keeps the cache from serving what was before a change. While control tells every change and waits for the
 * acknowledgement, the cache is trusted; otherwise the change log is read before each use.
 */
export class Freshness {
  readonly #log: Log;
  readonly #cache: Pick<LinkCache, "forget" | "clear">;
  #isSubscribed = false;
  #isBehind = true;
  #seq: number | undefined;
  /** Whether the cache may be used without a call of `check`. */
  isTrusted = false;

  constructor(log: Log, cache: Pick<LinkCache, "forget" | "clear">) {
    this.#log = log;
    this.#cache = cache;
  }

  /** Brings the cache up to the newest commit. With the records engine away it keeps what it has, however old. */
  check(): void {
    try {
      // Asked before the log is read: a commit in between then shows at the next check.
      if (this.#log.hasForeignCommit()) this.#isBehind = true;
      if (this.#isBehind) this.#catchUp();
      this.isTrusted = this.#isSubscribed;
    } catch {
      this.isTrusted = false;
    }
  }

  onWelcome(): void {
    this.#isSubscribed = true;
    this.#isBehind = true;
    this.check();
  }

  onLost(): void {
    this.#isSubscribed = false;
    this.isTrusted = false;
  }

  onChanges({ seq, slugs }: Omit<ChangeNotice, "n">): void {
    if (slugs === null) this.#cache.clear();
    else for (const slug of slugs) this.#cache.forget(slug);
    // While it is not caught up, earlier changes are still to be read.
    if (this.isTrusted) this.#seq = seq;
  }

  #catchUp(): void {
    const changes = this.#seq === undefined ? "gap" : this.#log.changesSince(this.#seq);
    if (changes === "gap" || changes.some(({ slug }) => slug === null)) {
      // The number first: what is committed after it is read again.
      this.#seq = this.#log.lastSeq();
      this.#cache.clear();
    } else {
      for (const { slug } of changes) if (slug !== null) this.#cache.forget(slug);
      this.#seq = changes.at(-1)?.seq ?? this.#seq;
    }
    this.#isBehind = false;
  }
}
