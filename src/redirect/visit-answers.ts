import { slugOf } from "#kernel/link-key.ts";
import { temporaryStatus } from "#visits/link-plan.ts";
import type { RedirectStatus } from "#visits/link-settings.ts";
import type { Answers } from "./answers.ts";
import { type CachedLink, type Entry, hasRules } from "./link-cache.ts";
import { isGuarded, type Verdict } from "./link-guard.ts";
import { isPreviewBot } from "./preview-bots.ts";
import { isRead, type Obstacle, type Visit, type WrongMethod } from "./visit-admission.ts";
import type { VisitCounts } from "./visit-counts.ts";

export interface VisitAnswersOptions {
  readonly answers: Answers;
  readonly notFoundRedirect: string | null;
  /** Shows destinations instead of redirecting; clicks are counted all the same. */
  readonly showsLinks?: boolean;
  readonly requestIdOf: (request: Request) => string;
  readonly onLookupFailure: (error: unknown) => void;
  /** If nobody can tell whether a visitor may open a guarded link. */
  readonly onGuardFailure: (error: unknown) => void;
}

/** A visit that finds no link, maybe because none can have its name. */
type Missed = Visit | (Omit<Visit, "key"> & { readonly key?: undefined });

/** What visitors of short links get. Each answer counts how the visit ended. */
export class VisitAnswers {
  readonly #options: VisitAnswersOptions;
  readonly #counts: VisitCounts;
  readonly #showsLinks: boolean;

  constructor(options: VisitAnswersOptions, counts: VisitCounts) {
    this.#options = options;
    this.#counts = counts;
    this.#showsLinks = options.showsLinks ?? false;
  }

  /** For a link that leads to `location`. */
  led(visit: Visit, link: CachedLink, { location, status }: { location: string; status: RedirectStatus }): Response {
    const { answers, requestIdOf } = this.#options;
    const { request } = visit;
    const preview = link.plan?.preview ?? null;
    if (preview !== null && isPreviewBot(request.headers.get("user-agent"))) {
      this.#counts.ends.previewed += 1;
      return answers.card({ host: visit.host?.name ?? null, slug: slugOf(visit.key), preview }, request);
    }
    if (this.#showsLinks) return this.shown(visit, link, location);
    this.#counts.ends.redirected += 1;
    if (request.method === "POST") return answers.seeOther(location, requestIdOf(request));
    return answers.redirect(location, requestIdOf(request), isGuarded(link) ? temporaryStatus(status) : status);
  }

  shown({ host, key, request }: Visit, link: CachedLink, location: string): Response {
    this.#counts.ends.previewed += 1;
    const { title } = link.row;
    const preview = { host: host?.name ?? null, slug: slugOf(key), title, location, varies: hasRules(link) };
    return this.#options.answers.preview(preview, request);
  }

  obstructed(obstacle: Obstacle, visit: Visit, entry: Entry): Response {
    const { request } = visit;
    if (obstacle === "method" || obstacle === "method of form") return this.methodRefused(obstacle, request);
    this.#counts.ends[obstacle] += 1;
    // What will lead somewhere is the owner's private matter until it does, so it looks like a link that never existed.
    if (obstacle === "unknown" || obstacle === "paused" || obstacle === "scheduled") return this.#notFound(visit);
    if (entry !== "deleted" && obstacle === "blocked") return this.#options.answers.blocked(entry.row, request);
    if (entry !== "deleted" && obstacle === "expired") return this.#over(visit, entry);
    return this.#options.answers.gone(request);
  }

  /** For a visitor who may not pass. */
  guarded(verdict: Exclude<Verdict, "open">, visit: Visit, link: CachedLink): Response {
    const { ends } = this.#counts;
    if (verdict === "exhausted") {
      ends.expired += 1;
      return this.#over(visit, link);
    }
    if (verdict === "deleted") {
      ends.deleted += 1;
      return this.#options.answers.gone(visit.request);
    }
    ends[verdict.end] += 1;
    return verdict.response;
  }

  unknown(visit: Missed): Response {
    this.#counts.ends.unknown += 1;
    return this.#notFound(visit);
  }

  methodRefused(wrong: WrongMethod, request: Request): Response {
    this.#counts.ends.refused += 1;
    return this.#options.answers.methodNotAllowed(request, wrong === "method" ? "GET, HEAD" : "GET, HEAD, POST");
  }

  missRefused(forMs: number, request: Request): Response {
    this.#counts.ends.refused += 1;
    return this.#options.answers.tooManyMisses(forMs, request);
  }

  targetRefused(request: Request): Response {
    this.#counts.ends.refused += 1;
    return this.#options.answers.targetTooLong(request);
  }

  lookupFailed(error: unknown, request: Request): Response {
    this.#options.onLookupFailure(error);
    return this.#failed(request);
  }

  guardFailed(error: unknown, request: Request): Response {
    this.#options.onGuardFailure(error);
    return this.#failed(request);
  }

  #failed(request: Request): Response {
    this.#counts.ends.failed += 1;
    return this.#options.answers.unavailable(request);
  }

  #over(visit: Visit, { plan }: CachedLink): Response {
    const { answers } = this.#options;
    const { request, host } = visit;
    const instead = plan?.expiredUrl ?? host?.expired_redirect_url ?? null;
    if (instead === null) return answers.gone(request);
    return this.#leadInstead(visit, instead);
  }

  #notFound(visit: Missed): Response {
    const { answers, notFoundRedirect } = this.#options;
    const { host, isBelow, request } = visit;
    if (!isRead(request)) return answers.methodNotAllowed(request);
    const instead = host?.not_found_redirect_url ?? (isBelow ? null : notFoundRedirect);
    return instead === null ? answers.notFound(request) : this.#leadInstead(visit, instead);
  }

  /** Someone who asks where a link leads is never led anywhere. */
  #leadInstead(visit: Missed, location: string): Response {
    const { answers, requestIdOf } = this.#options;
    const { request } = visit;
    if (!visit.isPreview && !this.#showsLinks) return answers.redirect(location, requestIdOf(request));
    // The page is about a link, and no link can have this name.
    return visit.key === undefined ? answers.notFound(request) : this.#showInstead(visit, location);
  }

  /** Without the link's title, which is about where it led before. */
  #showInstead({ host, key, request }: Visit, location: string): Response {
    const preview = { host: host?.name ?? null, slug: slugOf(key), title: null, location };
    return this.#options.answers.preview(preview, request);
  }
}
