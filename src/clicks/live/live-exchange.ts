import { randomUUID } from "node:crypto";
import type { Click } from "#engines/clicks/click-format.ts";
import type { ShownClick } from "#engines/clicks/public-click.ts";
import type { Signals } from "#engines/coordination/signals.ts";

/** Only what is shown leaves the node: nothing that tells visitors apart. */
export type LiveClick = ShownClick & Pick<Click, "link_no">;

interface Options {
  readonly signals: Signals;
  /** Clicks of an account that someone here watches, ingested by another node. */
  readonly onClicks: (accountNo: number, clicks: readonly LiveClick[]) => void;
  readonly announceMs?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** What a node says about itself: the accounts that someone watches there, or that it wants to hear it from the others. */
type Announcement =
  | { readonly node: string; readonly watches: readonly number[] }
  | { readonly node: string; readonly asks: true };

interface Watch {
  readonly accounts: readonly number[];
  readonly until: number;
}

const TOPIC = "live";
const ANNOUNCE_MS = 5000;
/** A node that hasn't been heard of for this many announcements is gone. */
const MISSED_MAX = 3;

/**
 * Shows the clicks that one node ingests to people who watch on another. Nodes announce which accounts are watched there;
 * clicks of other accounts are never published. What gets lost on the way is missing on a page that only shows the
 * present.
 */
export class LiveExchange {
  readonly #options: Options;
  readonly #node = randomUUID();
  readonly #announceMs: number;
  readonly #now: () => number;
  /** Ends the subscription of each account that is watched here. */
  readonly #watchedHere = new Map<number, () => void>();
  readonly #elsewhere = new Map<string, Watch>();
  readonly #unsubscribe: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: Options) {
    const { signals, announceMs = ANNOUNCE_MS, now = () => performance.now() } = options;
    this.#options = options;
    this.#announceMs = announceMs;
    this.#now = now;
    this.#unsubscribe = signals.subscribe(TOPIC, {
      onSignal: (text) => this.#hear(parse(text)),
      onResumed: () => {
        this.#say({ node: this.#node, asks: true });
        if (this.#watchedHere.size > 0) this.#announce();
      },
    });
  }

  /** The accounts that someone watches on this node. */
  setWatched(accounts: ReadonlySet<number>): void {
    const { signals, onClicks } = this.#options;
    const before = this.#watchedHere.size;
    let hasChanged = false;
    for (const [accountNo, unsubscribe] of this.#watchedHere) {
      if (accounts.has(accountNo)) continue;
      unsubscribe();
      this.#watchedHere.delete(accountNo);
      hasChanged = true;
    }
    for (const accountNo of accounts) {
      if (this.#watchedHere.has(accountNo)) continue;
      const onSignal = (text: string): void => {
        const clicks = toClicks(parse(text));
        if (clicks.length > 0) onClicks(accountNo, clicks);
      };
      this.#watchedHere.set(accountNo, signals.subscribe(topicOf(accountNo), { onSignal }));
      hasChanged = true;
    }
    if (!hasChanged) return;
    this.#announce();
    if (before === 0) this.#timer = setInterval(() => this.#announce(), this.#announceMs);
    if (accounts.size === 0) clearInterval(this.#timer);
  }

  /** The accounts that someone watches on another node. */
  watchedElsewhere(): ReadonlySet<number> {
    const now = this.#now();
    const accounts = new Set<number>();
    for (const [node, watch] of this.#elsewhere) {
      if (watch.until < now) this.#elsewhere.delete(node);
      else for (const accountNo of watch.accounts) accounts.add(accountNo);
    }
    return accounts;
  }

  send(accountNo: number, clicks: readonly LiveClick[]): void {
    this.#options.signals.publish(topicOf(accountNo), JSON.stringify(clicks.map(shownOf)));
  }

  close(): void {
    this.setWatched(new Set());
    this.#unsubscribe();
  }

  #announce(): void {
    this.#say({ node: this.#node, watches: [...this.#watchedHere.keys()] });
  }

  #say(announcement: Announcement): void {
    this.#options.signals.publish(TOPIC, JSON.stringify(announcement));
  }

  #hear(heard: unknown): void {
    const announcement = toAnnouncement(heard);
    if (announcement === null) return;
    if ("asks" in announcement) {
      if (this.#watchedHere.size > 0) this.#announce();
      return;
    }
    const { node, watches } = announcement;
    if (watches.length === 0) this.#elsewhere.delete(node);
    else this.#elsewhere.set(node, { accounts: watches, until: this.#now() + MISSED_MAX * this.#announceMs });
  }
}

const topicOf = (accountNo: number): string => `${TOPIC}:${accountNo}`;

// Others may publish on the server's channels, and so do nodes of another version: what isn't understood is ignored.

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function toAnnouncement(heard: unknown): Announcement | null {
  const { node, watches, asks } = (heard ?? {}) as Record<string, unknown>;
  if (typeof node !== "string") return null;
  if (asks === true) return { node, asks };
  return Array.isArray(watches) && watches.every(Number.isSafeInteger) ? { node, watches } : null;
}

const SHOWN_TEXTS = ["country", "referrer", "device", "browser", "os", "source"] as const;

const isClick = (heard: unknown): heard is LiveClick => {
  const click = (heard ?? {}) as Record<string, unknown>;
  const isNumbered = Number.isSafeInteger(click.at_ms) && Number.isSafeInteger(click.link_no);
  return isNumbered && SHOWN_TEXTS.every((name) => typeof click[name] === "string");
};

const toClicks = (heard: unknown): LiveClick[] => (Array.isArray(heard) ? heard.filter(isClick).map(shownOf) : []);

const shownOf = ({ at_ms, link_no, country, referrer, device, browser, os, source }: LiveClick): LiveClick => ({
  at_ms,
  link_no,
  country,
  referrer,
  device,
  browser,
  os,
  source,
});
