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
  /** If it isn't known whether a link is exhausted, and its page is shown nevertheless. */
  readonly onGuardFailure: (error: unknown) => void;
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

type Entered = Pick<GuardQuestion, "password" | "usesClick">;
export type Verdict = "open" | "exhausted" | "deleted" | Refusal;

const isLimited = ({ plan }: CachedLink): boolean => plan !== null && plan.maxClicks !== null;
export const isGuarded = (link: CachedLink): boolean => link.row.guarded || isLimited(link);

/** Stands before links with a password or a limit of clicks. No page of it names the destination. */
export class LinkGuard {
  readonly #options: LinkGuardOptions;
  /** A change of the link replaces what is cached of it, so a raised limit is noticed. */
  readonly #exhausted = new WeakSet<CachedLink>();

  constructor(options: LinkGuardOptions) {
    this.#options = options;
  }

  /** Rejects if control can't answer. */
  async admit(visit: GuardedVisit, link: CachedLink): Promise<Verdict> {
    if (this.#exhausted.has(link)) return "exhausted";
    const { request } = visit;
    if (link.row.guarded && request.method === "POST") return this.#enter(visit, link);
    if (!link.row.guarded && !visit.isPreview && this.#isPerson(request, link)) {
      return this.#decide(visit, link, { password: null, usesClick: true });
    }
    return isLimited(link) ? this.#look(visit, link) : this.#showGuard(visit, link);
  }

  #isPerson(request: Request, link: CachedLink): boolean {
    const { clicks, clientAddressOf } = this.#options;
    if (request.method === "HEAD" || isPreviewBot(request.headers.get("user-agent"))) return false;
    return !clicks.isBot(clicks.classify(request, clientAddressOf(request), link.accountNo));
  }

  /** For visits that use nothing up, since another process may have seen the last click. */
  async #look(visit: GuardedVisit, link: CachedLink): Promise<Verdict> {
    try {
      const { result } = await this.#ask(visit, link, { password: null, usesClick: false });
      if (result === "exhausted" || result === "deleted") return result;
    } catch (error) {
      // The page gives nothing away, and whoever goes on from there is asked about again.
      this.#options.onGuardFailure(error);
    }
    return this.#showGuard(visit, link);
  }

  #showGuard(visit: GuardedVisit, link: CachedLink): Refusal {
    const { answers } = this.#options;
    const { request, host, slug } = visit;
    const preview = link.plan?.preview ?? null;
    if (preview !== null && isPreviewBot(request.headers.get("user-agent"))) {
      return { end: "previewed", response: answers.card({ host, slug, preview }, request) };
    }
    return link.row.guarded
      ? { end: "previewed", response: answers.passwordForm(200, this.#shown(visit), request) }
      : this.#showLimited(visit);
  }

  #showLimited(visit: GuardedVisit): Refusal {
    return { end: "previewed", response: this.#options.answers.limited(this.#shown(visit), visit.request) };
  }

  #shown({ request, host, slug, isPreview }: GuardedVisit): GuardedLink {
    const target = targetTextOf(request.url);
    const query = target.indexOf("?");
    return { host, target: isPreview ? `/${slug}${query === -1 ? "" : target.slice(query)}` : target };
  }

  async #enter(visit: GuardedVisit, link: CachedLink): Promise<Verdict> {
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
        return this.#decide(visit, link, {
          password: entered.password,
          // Somebody who writes programs has the password; the limit is still for people only.
          usesClick: !isLimited(link) || this.#isPerson(request, link),
        });
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

  async #decide(visit: GuardedVisit, link: CachedLink, entered: Entered): Promise<Verdict> {
    const { answers } = this.#options;
    const { request } = visit;
    const answer = await this.#ask(visit, link, entered);
    switch (answer.result) {
      case "open":
        return entered.usesClick ? "open" : this.#showLimited(visit);
      case "exhausted":
      case "deleted":
        return answer.result;
      case "wrong":
        // It may have got its password just now.
        if (entered.password !== null) return this.#refuseWrong(visit);
        return { end: "previewed", response: answers.passwordForm(200, this.#shown(visit), request) };
      case "limited":
        return { end: "refused", response: answers.tooManyPasswords(answer.retryMs, request) };
      case "busy":
        return { end: "refused", response: answers.unavailable(request) };
    }
  }

  async #ask({ request }: GuardedVisit, link: CachedLink, entered: Entered): Promise<GuardAnswer> {
    const { ask, clientAddressOf } = this.#options;
    const answer = await ask({ linkNo: link.no, network: networkOf(clientAddressOf(request)), ...entered });
    if (answer.result === "exhausted") this.#exhausted.add(link);
    return answer;
  }

  #refuseWrong(visit: GuardedVisit): Refusal {
    const { answers } = this.#options;
    return { end: "refused", response: answers.passwordForm(403, this.#shown(visit), visit.request) };
  }
}
