import { networkOf } from "#kernel/network-address.ts";
import type { GuardAnswer, GuardQuestion } from "#visits/link-guard.ts";
import type { Answers, GuardedLink } from "./answers.ts";
import type { ClickSink } from "./click-sink.ts";
import { readPassword } from "./entered-password.ts";
import type { CachedLink } from "./link-cache.ts";
import { isPreviewBot } from "./preview-bots.ts";
import type { BodyReader } from "./request-body.ts";
import { targetTextOf } from "./request-target.ts";
import type { VisitEnd } from "./visit-counts.ts";

export interface LinkGuardOptions {
  readonly ask: (question: GuardQuestion) => Promise<GuardAnswer>;
  readonly bodies: BodyReader;
  readonly answers: Answers;
  readonly clicks: ClickSink;
  readonly clientAddressOf: (request: Request) => string;
  readonly requestIdOf: (request: Request) => string;
}

export interface GuardedVisit {
  readonly request: Request;
  /** `null` on the instance's own domain. */
  readonly host: string | null;
  readonly slug: string;
  /** Whether the visitor asked where the link leads, instead of opening it. */
  readonly isPreview: boolean;
}

/** What a visitor gets instead of the redirect, and how that visit counts. */
export interface Refusal {
  readonly end: VisitEnd;
  readonly response: Response;
}

export const isGuarded = ({ row, plan }: CachedLink): boolean =>
  row.guarded || (plan !== null && plan.maxClicks !== null);

/** Stands before links with a password or a limit of clicks. No page of it names the destination. */
export class LinkGuard {
  readonly #options: LinkGuardOptions;
  /** A change of the link replaces what is cached of it, so a raised limit is noticed. */
  readonly #exhausted = new WeakSet<CachedLink>();

  constructor(options: LinkGuardOptions) {
    this.#options = options;
  }

  /** Rejects if control can't answer. */
  async admit(visit: GuardedVisit, link: CachedLink): Promise<"open" | "exhausted" | "deleted" | Refusal> {
    if (this.#exhausted.has(link)) return "exhausted";
    const { request } = visit;
    const isEntering = link.row.guarded && request.method === "POST";
    if (!isEntering && (link.row.guarded || visit.isPreview || !this.#isPerson(request, link))) {
      return { end: "previewed", response: this.#showGuard(visit, link) };
    }
    // Somebody who writes programs has the password; the limit is still for people only.
    if (isEntering && link.plan?.maxClicks != null && !this.#isPerson(request, link)) {
      return { end: "previewed", response: this.#options.answers.limited(this.#shown(visit), request) };
    }
    return isEntering ? this.#enter(visit, link) : this.#decide(visit, link, null);
  }

  #isPerson(request: Request, link: CachedLink): boolean {
    const { clicks, clientAddressOf } = this.#options;
    if (request.method === "HEAD" || isPreviewBot(request.headers.get("user-agent"))) return false;
    return !clicks.isBot(clicks.classify(request, clientAddressOf(request), link.accountNo));
  }

  #showGuard(visit: GuardedVisit, link: CachedLink): Response {
    const { answers } = this.#options;
    const { request, host, slug } = visit;
    const preview = link.plan?.preview ?? null;
    if (preview !== null && isPreviewBot(request.headers.get("user-agent"))) {
      return answers.card({ host, slug, preview }, request);
    }
    return link.row.guarded
      ? answers.passwordForm(200, this.#shown(visit), request)
      : answers.limited(this.#shown(visit), request);
  }

  #shown({ request, host, slug, isPreview }: GuardedVisit): GuardedLink {
    const target = targetTextOf(request.url);
    const query = target.indexOf("?");
    return { host, target: isPreview ? `/${slug}${query === -1 ? "" : target.slice(query)}` : target };
  }

  async #enter(visit: GuardedVisit, link: CachedLink): Promise<"open" | "exhausted" | "deleted" | Refusal> {
    const { answers, bodies, clientAddressOf, requestIdOf } = this.#options;
    const { request } = visit;
    const entered = await readPassword(request, bodies, networkOf(clientAddressOf(request)));
    const refuse = (status: number, text: string): Refusal => ({
      end: "refused",
      // The rest of the body may still arrive, so no other request can follow on the connection.
      response: answers.text(status, text, requestIdOf(request), { connection: "close" }),
    });
    switch (entered.kind) {
      case "entered":
        return this.#decide(visit, link, entered.password);
      case "wrong":
        return this.#refuseWrong(visit);
      case "not-a-form":
        return refuse(415, "The password must be sent as application/x-www-form-urlencoded.\n");
      case "too-large":
        return refuse(413, "The body is too large.\n");
      case "late":
        return refuse(400, "The body did not arrive in time.\n");
      case "refused":
        return refuse(503, "Too many requests are arriving from your network. Try again in a moment.\n");
    }
  }

  async #decide(
    visit: GuardedVisit,
    link: CachedLink,
    password: string | null,
  ): Promise<"open" | "exhausted" | "deleted" | Refusal> {
    const { ask, answers, clientAddressOf } = this.#options;
    const { request } = visit;
    const answer = await ask({ linkNo: link.no, password, network: networkOf(clientAddressOf(request)) });
    switch (answer.result) {
      case "exhausted":
        this.#exhausted.add(link);
        return "exhausted";
      case "open":
      case "deleted":
        return answer.result;
      case "wrong":
        // It may have got its password just now.
        if (password !== null) return this.#refuseWrong(visit);
        return { end: "previewed", response: answers.passwordForm(200, this.#shown(visit), request) };
      case "limited":
        return { end: "refused", response: answers.tooManyPasswords(answer.retryMs, request) };
      case "busy":
        return { end: "refused", response: answers.unavailable(request) };
    }
  }

  #refuseWrong(visit: GuardedVisit): Refusal {
    const { answers } = this.#options;
    return { end: "refused", response: answers.passwordForm(403, this.#shown(visit), visit.request) };
  }
}
