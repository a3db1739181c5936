import { SLUG_PATTERN, TARGET_BYTES_MAX } from "#contract/limits.ts";
import type { HostRow } from "#engines/records/redirect-reader.ts";
import type { Clock } from "#kernel/clock.ts";
import { type LinkKey, linkKey, OWN_DOMAIN, slugOf } from "#kernel/link-key.ts";
import { networkOf } from "#kernel/network-address.ts";
import { withVisitorQuery } from "#shared/location.ts";
import { decide } from "#visits/decide.ts";
import type { Answers } from "./answers.ts";
import { type ClickSink, noClicks, type RequestText } from "./click-sink.ts";
import type { Freshness } from "./freshness.ts";
import type { Hosts } from "./hosts.ts";
import type { CachedLink, Entry, LinkCache } from "./link-cache.ts";
import type { MissGuard } from "./miss-guard.ts";
import { outcomeOf } from "./outcome.ts";
import { targetTextOf } from "./request-target.ts";
import { newVisitCounts, type VisitCounts } from "./visit-counts.ts";

export interface ShortLinkHandlerOptions {
  readonly cache: LinkCache;
  readonly hosts: Pick<Hosts, "find" | "isUsable" | "refresh">;
  readonly freshness: Freshness;
  readonly misses: MissGuard;
  readonly clicks: ClickSink;
  readonly answers: Answers;
  readonly notFoundRedirect: string | null;
  /** Shows destinations instead of redirecting; clicks are counted all the same. */
  readonly showsLinks?: boolean;
  readonly clock: Clock;
  readonly requestIdOf: (request: Request) => string;
  readonly clientAddressOf: (request: Request) => string;
  readonly onLookupFailure: (error: unknown) => void;
}

interface Visit {
  readonly request: Request;
  readonly host: HostRow | null;
  readonly key: LinkKey;
  readonly isPreview: boolean;
}

/** Where a visitor is redirected, once the click is written. */
export interface Redirect {
  readonly location: string;
  readonly written: Promise<void> | undefined;
}

/** Answers GET and HEAD requests for short links. */
export class ShortLinkHandler {
  readonly #options: ShortLinkHandlerOptions;
  readonly #cache: LinkCache;
  readonly #hosts: ShortLinkHandlerOptions["hosts"];
  readonly #freshness: Freshness;
  /** What `refresh` waits for; the same for all requests that have arrived. */
  #checked: Promise<void> | undefined;
  #refreshed: Promise<void> = Promise.resolve();
  readonly #countsClicks: boolean;
  readonly #showsLinks: boolean;
  readonly counts: VisitCounts = newVisitCounts();

  constructor(options: ShortLinkHandlerOptions) {
    this.#options = options;
    this.#cache = options.cache;
    this.#hosts = options.hosts;
    this.#freshness = options.freshness;
    this.#countsClicks = options.clicks !== noClicks;
    this.#showsLinks = options.showsLinks ?? false;
  }

  /** `name` is the percent-decoded path segment. The cache only has valid slugs, so a hit needs no validation. */
  open(name: string, request: Request): Response | Promise<Response> {
    if (this.isFresh) return this.#open(name, request);
    return this.refresh().then(() => this.#open(name, request));
  }

  /** Whether the cache may be used without `refresh`. */
  get isFresh(): boolean {
    return this.#freshness.isUsable && this.#hosts.isUsable;
  }

  /** Resolves when the cache is up to date for all requests that have arrived. */
  refresh(): Promise<void> {
    const checked = this.#freshness.check();
    if (checked !== this.#checked) {
      this.#checked = checked;
      // Only then is it known whether hosts have changed.
      this.#refreshed = checked.then(() => this.#hosts.refresh());
    }
    return this.#refreshed;
  }

  #open(name: string, request: Request): Response | Promise<Response> {
    if (isTooLong(request.url)) return this.#refuseTarget(request);
    const host = this.#hosts.find(request.headers.get("host") ?? "");
    if (host === undefined) return this.#fail(new Error("the hosts of domains can't be read"), request);
    const link = this.#findActive(name, host);
    if (link === undefined) return this.#openOther(name, host, request);
    this.counts.cacheHits += 1;
    return this.#follow(name, link, request);
  }

  /** Returns a link that is cached and active. If `isFresh` is false, call `refresh` first. */
  findActive(name: string, host: string): CachedLink | undefined {
    const found = this.#hosts.find(host);
    return found === undefined ? undefined : this.#findActive(name, found);
  }

  #findActive(name: string, host: HostRow | null): CachedLink | undefined {
    if (this.#showsLinks) return undefined;
    const entry = this.#cache.peek(keyOf(name, host));
    return entry === undefined || entry === "deleted" || !this.#isActive(entry) ? undefined : entry;
  }

  /** Counts a visit of a cached link and returns where it leads. */
  redirect(link: CachedLink, request: RequestText, clientAddress: string): Redirect {
    this.counts.cacheHits += 1;
    this.counts.ends.redirected += 1;
    return this.#lead(link, request, () => clientAddress, true);
  }

  #lead(link: CachedLink, request: RequestText, clientAddress: () => string, isClick: boolean): Redirect {
    const { clicks, clock } = this.#options;
    const { rules } = link;
    if (!isClick && rules === null) return { location: withQueryOf(request.url, link.location), written: undefined };
    const visit = clicks.classify(request, clientAddress(), link.accountNo);
    const decided = rules === null ? null : decide(rules, visit, { linkNo: link.no, atMs: clock() });
    const location = withQueryOf(request.url, decided?.target ?? link.location);
    return { location, written: isClick ? clicks.record(visit, link, location) : undefined };
  }

  #isActive({ activeUntil }: CachedLink): boolean {
    return activeUntil === Number.POSITIVE_INFINITY || activeUntil > this.#options.clock();
  }

  #openOther(name: string, host: HostRow | null, request: Request): Response | Promise<Response> {
    const isPreview = name.endsWith("+");
    const slug = (isPreview ? name.slice(0, -1) : name).toLowerCase();
    const { answers } = this.#options;
    if (!SLUG_PATTERN.test(slug)) {
      this.counts.ends.unknown += 1;
      return answers.notFound(request);
    }
    const visit = { request, host, key: keyOf(slug, host), isPreview };
    const entry = this.#cache.peek(visit.key);
    if (entry === undefined) return this.#lookUp(visit);
    this.counts.cacheHits += 1;
    return this.#answer(entry, visit);
  }

  async #lookUp(visit: Visit): Promise<Response> {
    const { misses, clientAddressOf } = this.#options;
    const { request, host, key } = visit;
    const isMissing = (): boolean => this.#freshness.knowsNewLinks && this.#cache.isKnownMissing(key);
    const isKnownMissing = isMissing();
    const network = misses.isOn ? networkOf(clientAddressOf(request)) : "";
    const blockedForMs = misses.isOn ? misses.blockedForMs(network) : 0;
    if (isKnownMissing && blockedForMs > 0) return this.#refuse(blockedForMs, request);

    this.counts[isKnownMissing ? "cacheHits" : "cacheMisses"] += 1;
    let entry: Entry | null;
    try {
      if (isKnownMissing) entry = null;
      else entry = await (blockedForMs > 0 ? this.#cache.loadWithLowPriority(key, isMissing) : this.#cache.load(key));
    } catch (error) {
      return this.#fail(error, request);
    }
    if (entry !== null) return this.#answer(entry, visit);
    const refusedForMs = blockedForMs > 0 ? blockedForMs : await misses.count(network);
    if (refusedForMs > 0) return this.#refuse(refusedForMs, request);
    this.counts.ends.unknown += 1;
    return this.#notFound(host, request);
  }

  #refuse(forMs: number, request: Request): Response {
    this.counts.ends.refused += 1;
    return this.#options.answers.tooManyMisses(forMs, request);
  }

  #refuseTarget(request: Request): Response {
    this.counts.ends.refused += 1;
    return this.#options.answers.targetTooLong(request);
  }

  #fail(error: unknown, request: Request): Response {
    this.counts.ends.failed += 1;
    this.#options.onLookupFailure(error);
    return this.#options.answers.unavailable(request);
  }

  #answer(entry: Entry, { request, host, key, isPreview }: Visit): Response | Promise<Response> {
    const { answers, clock, requestIdOf } = this.#options;
    const outcome = outcomeOf(entry === "deleted" ? entry : entry.row, clock());
    if (outcome !== "active") this.counts.ends[outcome] += 1;
    if (entry !== "deleted" && outcome === "active") {
      if (!isPreview) return this.#follow(slugOf(key), entry, request);
      this.counts.ends.previewed += 1;
      const { location, row } = entry;
      return answers.preview({ slug: slugOf(key), title: row.title, location }, request);
    }
    if (entry !== "deleted" && outcome === "blocked") return answers.blocked(entry.row, request);
    // A pause is temporary and the owner's private matter, so it looks like a link that never existed.
    if (outcome === "paused") return this.#notFound(host, request);
    const instead = outcome === "expired" ? (host?.expired_redirect_url ?? null) : null;
    return instead === null ? answers.gone(request) : answers.redirect(instead, requestIdOf(request));
  }

  #notFound(host: HostRow | null, request: Request): Response {
    const { answers, notFoundRedirect, requestIdOf } = this.#options;
    const instead = host === null ? notFoundRedirect : host.not_found_redirect_url;
    return instead === null ? answers.notFound(request) : answers.redirect(instead, requestIdOf(request));
  }

  #follow(slug: string, link: CachedLink, request: Request): Response | Promise<Response> {
    const isClick = this.#countsClicks && request.method === "GET";
    const { clientAddressOf } = this.#options;
    const { location, written } = this.#lead(link, request, () => clientAddressOf(request), isClick);
    const answer = (): Response => this.#answerLink(slug, link, location, request);
    return written ? written.then(answer, answer) : answer();
  }

  #answerLink(slug: string, { row }: CachedLink, location: string, request: Request): Response {
    const { answers, requestIdOf } = this.#options;
    if (this.#showsLinks) {
      this.counts.ends.previewed += 1;
      return answers.preview({ slug, title: row.title, location }, request);
    }
    this.counts.ends.redirected += 1;
    return answers.redirect(location, requestIdOf(request));
  }
}

const keyOf = (slug: string, host: HostRow | null): LinkKey => linkKey(host?.no ?? OWN_DOMAIN, slug);

/** The URL is longer than its target, so most need no second check. */
const isTooLong = (url: string): boolean =>
  url.length > TARGET_BYTES_MAX && targetTextOf(url).length > TARGET_BYTES_MAX;

function withQueryOf(url: string, location: string): string {
  const query = url.indexOf("?");
  return query === -1 ? location : withVisitorQuery(location, url.slice(query + 1));
}
