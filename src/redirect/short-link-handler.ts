import { SLUG_PATTERN, TARGET_BYTES_MAX } from "#contract/limits.ts";
import type { HostRow } from "#engines/records/redirect-reader.ts";
import type { Clock } from "#kernel/clock.ts";
import { type LinkKey, linkKey, OWN_DOMAIN, slugOf } from "#kernel/link-key.ts";
import { networkOf } from "#kernel/network-address.ts";
import { withVisitorQuery } from "#shared/location.ts";
import { leadOf, temporaryStatus } from "#visits/link-plan.ts";
import type { RedirectStatus } from "#visits/link-settings.ts";
import type { Answers } from "./answers.ts";
import { type ClickSink, noClicks, type RequestText } from "./click-sink.ts";
import type { Freshness } from "./freshness.ts";
import type { Hosts } from "./hosts.ts";
import type { CachedLink, Entry, LinkCache } from "./link-cache.ts";
import { isGuarded, type LinkGuard } from "./link-guard.ts";
import type { MissGuard } from "./miss-guard.ts";
import { outcomeOf } from "./outcome.ts";
import { withoutOwnReferer } from "./own-referer.ts";
import { isPreviewBot } from "./preview-bots.ts";
import { isAmbiguousPath, targetOf, targetTextOf } from "./request-target.ts";
import { newVisitCounts, type VisitCounts } from "./visit-counts.ts";

export interface ShortLinkHandlerOptions {
  readonly cache: LinkCache;
  readonly hosts: Pick<Hosts, "find" | "isUsable" | "refresh">;
  readonly freshness: Freshness;
  readonly misses: MissGuard;
  readonly clicks: ClickSink;
  readonly answers: Answers;
  readonly guard: Pick<LinkGuard, "admit">;
  readonly notFoundRedirect: string | null;
  /** Shows destinations instead of redirecting; clicks are counted all the same. */
  readonly showsLinks?: boolean;
  readonly clock: Clock;
  readonly requestIdOf: (request: Request) => string;
  readonly clientAddressOf: (request: Request) => string;
  readonly onLookupFailure: (error: unknown) => void;
  /** If nobody can tell whether a visitor may open a guarded link. */
  readonly onGuardFailure: (error: unknown) => void;
}

interface Visit {
  readonly request: Request;
  readonly host: HostRow | null;
  readonly key: LinkKey;
  readonly isPreview: boolean;
  /** Whether something follows the slug, which only some links accept. */
  readonly isBelow: boolean;
}

/** Where a visitor is redirected, once the click is written. */
export interface Redirect {
  readonly location: string;
  readonly status: RedirectStatus;
  readonly written: Promise<void> | undefined;
}

/** Answers requests for short links: GET and HEAD, POST for those with a password, and others by refusing them. */
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

  /** The same for `/name/…`. */
  openBelow(name: string, request: Request): Response | Promise<Response> {
    if (this.isFresh) return this.#openBelow(name, request);
    return this.refresh().then(() => this.#openBelow(name, request));
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
    const host = this.#hostOf(request);
    if (host === undefined) return this.#failWithoutHosts(request);
    // A decoded slash must not make a name the key of another domain's link. The fast lane reads no name that has one.
    const link = name.includes("/") ? undefined : this.#findActive(name, host);
    if (link === undefined) return this.#openOther(name, host, request);
    this.counts.cacheHits += 1;
    return this.#openActive({ request, host, key: keyOf(name, host), isPreview: false, isBelow: false }, link);
  }

  #openBelow(name: string, request: Request): Response | Promise<Response> {
    if (isTooLong(request.url)) return this.#refuseTarget(request);
    const host = this.#hostOf(request);
    if (host === undefined) return this.#failWithoutHosts(request);
    const slug = name.toLowerCase();
    if (!SLUG_PATTERN.test(slug) || isAmbiguousPath(targetOf(request.url).path)) {
      this.counts.ends.unknown += 1;
      return this.#notFound({ host, isBelow: true, request });
    }
    return this.#find({ request, host, key: keyOf(slug, host), isPreview: false, isBelow: true });
  }

  #hostOf(request: Request): HostRow | null | undefined {
    return this.#hosts.find(request.headers.get("host") ?? "");
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
    const { plan } = link;
    if (plan === null) {
      const location = withQueryOf(request.url, link.location);
      if (!isClick) return { location, status: 302, written: undefined };
      const visit = clicks.classify(request, clientAddress(), link.accountNo);
      const domain = this.#domainOf(request);
      return { location, status: 302, written: clicks.record(visit, link, { location, domain, rule: "" }) };
    }
    const visit = clicks.classify(request, clientAddress(), link.accountNo);
    const { location, status, rule } = leadOf({ ...link, plan }, visit, clock());
    if (!isClick) return { location, status, written: undefined };
    const target = { location, domain: this.#domainOf(request), rule: rule ?? "" };
    return { location, status, written: clicks.record(visit, link, target) };
  }

  /** As clicks store it. */
  #domainOf(request: RequestText): string {
    return this.#hosts.find(request.headers.get("host") ?? "")?.name ?? "";
  }

  #isActive({ activeUntil, plan }: CachedLink): boolean {
    if (activeUntil === Number.POSITIVE_INFINITY && plan === null) return true;
    const now = this.#options.clock();
    return activeUntil > now && (plan === null || plan.startsAt <= now);
  }

  #openOther(name: string, host: HostRow | null, request: Request): Response | Promise<Response> {
    const isPreview = name.endsWith("+");
    const slug = (isPreview ? name.slice(0, -1) : name).toLowerCase();
    if (!SLUG_PATTERN.test(slug)) {
      this.counts.ends.unknown += 1;
      return this.#notFound({ host, isBelow: true, request });
    }
    return this.#find({ request, host, key: keyOf(slug, host), isPreview, isBelow: false });
  }

  #find(visit: Visit): Response | Promise<Response> {
    const entry = this.#cache.peek(visit.key);
    if (entry === undefined) return this.#lookUp(visit);
    this.counts.cacheHits += 1;
    return this.#answer(entry, visit);
  }

  async #lookUp(visit: Visit): Promise<Response> {
    const { misses, clientAddressOf } = this.#options;
    const { request, key } = visit;
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
    return this.#notFound(visit);
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

  #failWithoutHosts(request: Request): Response {
    return this.#fail(new Error("the hosts of domains can't be read"), request);
  }

  #answer(entry: Entry, visit: Visit): Response | Promise<Response> {
    const { answers, clock } = this.#options;
    const { request } = visit;
    if (!isRead(request) && (entry === "deleted" || !takesPost(request, entry))) {
      return this.#refuseMethod(request, entry !== "deleted" && this.#isActive(entry) && entry.row.guarded);
    }
    if (visit.isBelow && (entry === "deleted" || entry.plan?.forwardsPath !== true)) {
      this.counts.ends.unknown += 1;
      return this.#notFound(visit);
    }
    const outcome = outcomeOf(entry === "deleted" ? entry : entry.row, clock());
    if (outcome !== "active") this.counts.ends[outcome] += 1;
    if (entry === "deleted") return answers.gone(request);
    if (outcome === "active") return this.#openActive(visit, entry);
    if (outcome === "blocked") return answers.blocked(entry.row, request);
    // What will lead somewhere is the owner's private matter until it does, so it looks like a link that never existed.
    if (outcome === "paused" || outcome === "scheduled") return this.#notFound(visit);
    return outcome === "expired" ? this.#end(visit, entry) : answers.gone(request);
  }

  /** What visitors of an expired or exhausted link get. */
  #end({ request, host }: Visit, { plan }: CachedLink): Response {
    const { answers, requestIdOf } = this.#options;
    const instead = plan?.expiredUrl ?? host?.expired_redirect_url ?? null;
    return instead === null ? answers.gone(request) : answers.redirect(instead, requestIdOf(request));
  }

  #refuseMethod(request: Request, hasForm: boolean): Response {
    this.counts.ends.refused += 1;
    return this.#options.answers.methodNotAllowed(request, hasForm ? "GET, HEAD, POST" : "GET, HEAD");
  }

  #openActive(visit: Visit, link: CachedLink): Response | Promise<Response> {
    const { request } = visit;
    if (!isRead(request) && !takesPost(request, link)) return this.#refuseMethod(request, link.row.guarded);
    if (!link.isDirect && isGuarded(link)) return this.#openGuarded(visit, link);
    return visit.isPreview ? this.#show(visit, link, link.location) : this.#follow(visit, link, request);
  }

  async #openGuarded(visit: Visit, link: CachedLink): Promise<Response> {
    const { guard, answers } = this.#options;
    const { request, host, key, isPreview } = visit;
    let verdict: Awaited<ReturnType<LinkGuard["admit"]>>;
    try {
      verdict = await guard.admit({ request, host: host?.name ?? null, slug: slugOf(key), isPreview }, link);
    } catch (error) {
      this.counts.ends.failed += 1;
      this.#options.onGuardFailure(error);
      return answers.unavailable(request);
    }
    if (verdict === "open") return this.#follow(visit, link, withoutOwnReferer(request));
    const end = verdict === "exhausted" ? "expired" : verdict === "deleted" ? verdict : verdict.end;
    this.counts.ends[end] += 1;
    if (verdict === "exhausted") return this.#end(visit, link);
    return verdict === "deleted" ? answers.gone(request) : verdict.response;
  }

  #notFound({ host, isBelow, request }: Pick<Visit, "host" | "isBelow" | "request">): Response {
    const { answers, notFoundRedirect, requestIdOf } = this.#options;
    if (!isRead(request)) return answers.methodNotAllowed(request);
    const ofInstance = isBelow ? null : notFoundRedirect;
    const instead = host === null ? ofInstance : host.not_found_redirect_url;
    return instead === null ? answers.notFound(request) : answers.redirect(instead, requestIdOf(request));
  }

  /** `seen` is what rules and clicks get to know of the request. */
  #follow(visit: Visit, link: CachedLink, seen: RequestText): Response | Promise<Response> {
    const { request } = visit;
    const { clientAddressOf } = this.#options;
    // A visitor gets here by POST with the right password only.
    const isClick = this.#countsClicks && request.method !== "HEAD";
    const redirect = this.#lead(link, seen, () => clientAddressOf(request), isClick);
    const answer = (): Response => this.#answerLink(visit, link, redirect);
    return redirect.written ? redirect.written.then(answer, answer) : answer();
  }

  #answerLink(visit: Visit, link: CachedLink, { location, status }: Redirect): Response {
    const { answers, requestIdOf } = this.#options;
    const { request } = visit;
    const preview = link.plan?.preview ?? null;
    if (preview !== null && isPreviewBot(request.headers.get("user-agent"))) {
      this.counts.ends.previewed += 1;
      return answers.card({ host: visit.host?.name ?? null, slug: slugOf(visit.key), preview }, request);
    }
    if (this.#showsLinks) return this.#show(visit, link, location);
    this.counts.ends.redirected += 1;
    if (request.method === "POST") return answers.seeOther(location, requestIdOf(request));
    return answers.redirect(location, requestIdOf(request), isGuarded(link) ? temporaryStatus(status) : status);
  }

  #show({ host, key, request }: Visit, { row }: CachedLink, location: string): Response {
    this.counts.ends.previewed += 1;
    return this.#options.answers.preview(
      { host: host?.name ?? null, slug: slugOf(key), title: row.title, location },
      request,
    );
  }
}

const isRead = ({ method }: Request): boolean => method === "GET" || method === "HEAD";
const takesPost = ({ method }: Request, { row }: CachedLink): boolean => method === "POST" && row.guarded;

const keyOf = (slug: string, host: HostRow | null): LinkKey => linkKey(host?.no ?? OWN_DOMAIN, slug);

/** The URL is longer than its target, so most need no second check. */
const isTooLong = (url: string): boolean =>
  url.length > TARGET_BYTES_MAX && targetTextOf(url).length > TARGET_BYTES_MAX;

function withQueryOf(url: string, location: string): string {
  const query = url.indexOf("?");
  return query === -1 ? location : withVisitorQuery(location, url.slice(query + 1));
}
