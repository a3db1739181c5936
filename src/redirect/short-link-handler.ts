import { SLUG_PATTERN, TARGET_BYTES_MAX } from "#contract/limits.ts";
import type { HostRow } from "#engines/records/redirect-reader.ts";
import type { Clock } from "#kernel/clock.ts";
import { type LinkKey, linkKey, OWN_DOMAIN, slugOf } from "#kernel/link-key.ts";
import { networkOf } from "#kernel/network-address.ts";
import { withVisitorQuery } from "#shared/location.ts";
import { leadOf } from "#visits/link-plan.ts";
import type { RedirectStatus } from "#visits/link-settings.ts";
import type { VisitFacts } from "#visits/rule.ts";
import { type ClickSink, noClicks, type RequestText } from "./click-sink.ts";
import type { Freshness } from "./freshness.ts";
import type { Hosts } from "./hosts.ts";
import { type CachedLink, type Entry, hasRules, type LinkCache } from "./link-cache.ts";
import { isGuarded, type LinkGuard, type Verdict } from "./link-guard.ts";
import type { MissGuard } from "./miss-guard.ts";
import { withoutOwnReferer, withoutReferer } from "./own-referer.ts";
import { isAmbiguousPath, targetOf, targetTextOf } from "./request-target.ts";
import { admit, takesMethod, type Visit, wrongMethodOf } from "./visit-admission.ts";
import { VisitAnswers, type VisitAnswersOptions } from "./visit-answers.ts";
import { newVisitCounts, type VisitCounts } from "./visit-counts.ts";

export interface ShortLinkHandlerOptions extends VisitAnswersOptions {
  readonly cache: LinkCache;
  readonly hosts: Pick<Hosts, "find" | "isUsable" | "refresh">;
  readonly freshness: Freshness;
  readonly misses: MissGuard;
  readonly clicks: ClickSink;
  readonly guard: Pick<LinkGuard, "admit">;
  readonly clock: Clock;
  readonly clientAddressOf: (request: Request) => string;
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
  readonly #answers: VisitAnswers;

  constructor(options: ShortLinkHandlerOptions) {
    this.#options = options;
    this.#cache = options.cache;
    this.#hosts = options.hosts;
    this.#freshness = options.freshness;
    this.#countsClicks = options.clicks !== noClicks;
    this.#showsLinks = options.showsLinks ?? false;
    this.#answers = new VisitAnswers(options, this.counts);
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
    if (isTooLong(request.url)) return this.#answers.targetRefused(request);
    const host = this.#hostOf(request);
    if (host === undefined) return this.#failWithoutHosts(request);
    // A decoded slash must not make a name the key of another domain's link. The fast lane reads no name that has one.
    const link = name.includes("/") ? undefined : this.#findActive(name, host);
    if (link === undefined) return this.#openOther(name, host, request);
    this.counts.cacheHits += 1;
    return this.#openActive({ request, host, key: keyOf(name, host), isPreview: false, isBelow: false }, link);
  }

  #openBelow(name: string, request: Request): Response | Promise<Response> {
    if (isTooLong(request.url)) return this.#answers.targetRefused(request);
    const host = this.#hostOf(request);
    if (host === undefined) return this.#failWithoutHosts(request);
    const slug = name.toLowerCase();
    const isAmbiguous = isAmbiguousPath(targetOf(request.url).path);
    if (!SLUG_PATTERN.test(slug) || isAmbiguous)
      return this.#answers.unknown({ host, isBelow: true, isPreview: false, request });
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
      const domain = this.#domainOf(request);
      const visit = this.#classify(request, clientAddress(), link, domain);
      return { location, status: 302, written: clicks.record(visit, link, { location, domain, rule: "" }) };
    }
    const domain = this.#domainOf(request);
    const visit = this.#classify(request, clientAddress(), link, domain);
    const { location, status, rule } = leadOf({ ...link, plan }, visit, clock());
    if (!isClick) return { location, status, written: undefined };
    return { location, status, written: clicks.record(visit, link, { location, domain, rule: rule ?? "" }) };
  }

  /** The sink knows pages of the instance; one on the link's own host says as little about where a visitor came from. */
  #classify(request: RequestText, clientAddress: string, { accountNo }: CachedLink, domain: string): VisitFacts {
    const { clicks } = this.#options;
    const visit = clicks.classify(request, clientAddress, accountNo);
    if (domain === "" || visit.referrer !== domain) return visit;
    return clicks.classify(withoutReferer(request), clientAddress, accountNo);
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
    if (!SLUG_PATTERN.test(slug)) return this.#answers.unknown({ host, isBelow: true, isPreview, request });
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
    if (isKnownMissing && blockedForMs > 0) return this.#answers.missRefused(blockedForMs, request);

    this.counts[isKnownMissing ? "cacheHits" : "cacheMisses"] += 1;
    let entry: Entry | null;
    try {
      if (isKnownMissing) entry = null;
      else entry = await (blockedForMs > 0 ? this.#cache.loadWithLowPriority(key, isMissing) : this.#cache.load(key));
    } catch (error) {
      return this.#answers.lookupFailed(error, request);
    }
    if (entry !== null) return this.#answer(entry, visit);
    const refusedForMs = blockedForMs > 0 ? blockedForMs : await misses.count(network);
    if (refusedForMs > 0) return this.#answers.missRefused(refusedForMs, request);
    return this.#answers.unknown(visit);
  }

  #failWithoutHosts(request: Request): Response {
    return this.#answers.lookupFailed(new Error("the hosts of domains can't be read"), request);
  }

  #answer(entry: Entry, visit: Visit): Response | Promise<Response> {
    const admitted = admit(entry, visit, this.#options.clock());
    return typeof admitted === "string"
      ? this.#answers.obstructed(admitted, visit, entry)
      : this.#openActive(visit, admitted);
  }

  #openActive(visit: Visit, link: CachedLink): Response | Promise<Response> {
    const { request } = visit;
    if (!takesMethod(link, request)) return this.#answers.methodRefused(wrongMethodOf(link), request);
    if (!link.isDirect && isGuarded(link)) return this.#openGuarded(visit, link);
    return visit.isPreview ? this.#preview(visit, link) : this.#follow(visit, link, request);
  }

  /** With rules, it shows where they lead this visitor: nobody must be shown a harmless address instead. */
  #preview(visit: Visit, link: CachedLink): Response {
    if (!hasRules(link)) return this.#answers.shown(visit, link, link.location);
    const { request } = visit;
    const { location } = this.#lead(link, request, () => this.#options.clientAddressOf(request), false);
    return this.#answers.shown(visit, link, location);
  }

  async #openGuarded(visit: Visit, link: CachedLink): Promise<Response> {
    const { request, host, key, isPreview } = visit;
    let verdict: Verdict;
    try {
      const guarded = { request, host: host?.name ?? null, slug: slugOf(key), isPreview };
      verdict = await this.#options.guard.admit(guarded, link);
    } catch (error) {
      return this.#answers.guardFailed(error, request);
    }
    if (verdict === "open") return this.#follow(visit, link, withoutOwnReferer(request));
    return this.#answers.guarded(verdict, visit, link);
  }

  /** `seen` is what rules and clicks get to know of the request. */
  #follow(visit: Visit, link: CachedLink, seen: RequestText): Response | Promise<Response> {
    const { request } = visit;
    const { clientAddressOf } = this.#options;
    // A visitor gets here by POST with the right password only.
    const isClick = this.#countsClicks && request.method !== "HEAD";
    const redirect = this.#lead(link, seen, () => clientAddressOf(request), isClick);
    const answer = (): Response => this.#answers.led(visit, link, redirect);
    return redirect.written ? redirect.written.then(answer, answer) : answer();
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
