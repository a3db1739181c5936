import type { RedirectRow } from "#engines/records/redirect-reader.ts";
import { STRICT_TRANSPORT_SECURITY } from "#kernel/transport-security.ts";
import { siteOf } from "#shared/host-name.ts";
import type { LinkPreview, RedirectStatus } from "#visits/link-settings.ts";
import type { RequestText } from "./click-sink.ts";
import { type GuardPage, renderLimitedPage, renderPasswordForm } from "./guard-pages.ts";
import { FORM_POLICY, PAGE_POLICY } from "./page-layout.ts";
import { createPages, type Pages, type PagesOptions, type Preview } from "./pages.ts";
import { renderPreviewCard } from "./preview-card.ts";
import { hasLargeBody } from "./request-body.ts";
import { chooseLanguage, type Language } from "./texts/language.ts";

export interface AnswersOptions extends Omit<PagesOptions, "language"> {
  readonly isHttps: boolean;
  readonly requestIdOf: (request: RequestHead) => string;
  /** The domain of an account that a Host header names; `null` is the instance's own, `undefined` if nobody knows yet. */
  readonly domainOf?: (host: string) => string | null | undefined;
}

/** A link that isn't opened yet, for its pages. */
export interface GuardedLink extends Pick<GuardPage, "target"> {
  /** `null` on the instance's own domain. */
  readonly host: string | null;
}

/** The part of a request that a page depends on. */
export type RequestHead = Pick<RequestText, "headers">;
interface Card {
  readonly host: string | null;
  readonly slug: string;
  readonly preview: LinkPreview;
}
interface RedirectInit {
  readonly status: RedirectStatus;
  readonly headers: Headers;
}
type HeaderFields = Readonly<Record<string, string>>;

interface ApiErrorFields {
  readonly code: "unavailable" | "bad_request" | "not_found";
  readonly message: string;
  readonly request_id: string;
}

/** RFC 6797 §7.2: browsers accept it over https only. */
const HSTS = { "Strict-Transport-Security": STRICT_TRANSPORT_SECURITY };
const RETRY_SECONDS = "1";

/** Browsers keep permanent redirects forever unless told otherwise, and a change of the link has to reach them. */
const CACHE_CONTROL: Readonly<Record<RedirectStatus, string>> = {
  301: "private, max-age=90",
  302: "private, no-store",
  307: "private, no-store",
  308: "private, max-age=90",
};

/** Every response that this process creates itself. */
export class Answers {
  readonly #options: AnswersOptions;
  readonly #pagesByLanguage = new Map<Language, Pages>();
  readonly #pageHeaders: HeaderFields;
  readonly #dataHeaders: HeaderFields;
  readonly #redirectInits: Readonly<Record<RedirectStatus, RedirectInit>>;
  readonly #seeOther: Headers;
  #isDraining = false;

  constructor(options: AnswersOptions) {
    this.#options = options;
    const { isHttps, isDemo = false } = options;
    const secure = isHttps ? HSTS : {};
    const always = { "cache-control": "no-store", "x-content-type-options": "nosniff", ...secure };
    const initOf = (status: RedirectStatus): RedirectInit => ({
      status,
      headers: new Headers(this.redirectFieldsOf(status)),
    });
    this.#seeOther = new Headers(this.redirectFieldsOf(302));
    this.#redirectInits = { 301: initOf(301), 302: initOf(302), 307: initOf(307), 308: initOf(308) };
    this.#pageHeaders = {
      ...always,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": PAGE_POLICY,
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "x-robots-tag": isDemo ? "noindex, nofollow" : "noindex",
      vary: "Accept-Language",
    };
    this.#dataHeaders = { ...always, "content-security-policy": "default-src 'none'; frame-ancestors 'none'" };
  }

  /** From now on clients are asked not to reuse their connections, because this process is shutting down. */
  startDraining(): void {
    this.#isDraining = true;
    const all = [this.#seeOther, ...Object.values(this.#redirectInits).map(({ headers }) => headers)];
    for (const headers of all) headers.set("connection", "close");
  }

  /** The headers of a redirect, besides location and request id. Most visitors get nothing else, so HSTS has to be here. */
  redirectFieldsOf(status: RedirectStatus): HeaderFields {
    const always = { "Cache-Control": CACHE_CONTROL[status], "X-Robots-Tag": "noindex" };
    return this.#options.isHttps ? { ...always, ...HSTS } : always;
  }

  /**
   * There is no body, because no browser shows it. All redirects of a status share one header object, which each
   * response copies: that is cheaper than parsing a new literal every time.
   */
  redirect(location: string, requestId: string, status: RedirectStatus = 302): Response {
    const init = this.#redirectInits[status];
    init.headers.set("location", location);
    init.headers.set("x-request-id", requestId);
    return new Response(null, init);
  }

  /** After a form: browsers follow with GET, and don't send the password along. */
  seeOther(location: string, requestId: string): Response {
    const headers = new Headers(this.#seeOther);
    headers.set("location", location);
    headers.set("x-request-id", requestId);
    return new Response(null, { status: 303, headers });
  }

  /** For programs that show a card of the link. `host` is `null` on the instance's own domain. */
  card({ host, slug, preview }: Card, request: Request): Response {
    const { isHttps, shortDomain, requestIdOf } = this.#options;
    const shortUrl = `${isHttps ? "https" : "http"}://${siteOf(host, shortDomain)}/${slug}`;
    const headers = { ...this.#pageHeaders, "x-request-id": requestIdOf(request) };
    return new Response(renderPreviewCard({ shortUrl, preview }), { headers: this.#withConnection(headers) });
  }

  preview(preview: Preview, request: Request): Response {
    return this.#page(200, (pages) => pages.preview(preview), request);
  }

  /** With `status` 403, it says that the password was wrong. */
  passwordForm(status: 200 | 403, link: GuardedLink, request: Request): Response {
    const render = (page: GuardPage): string => renderPasswordForm(page, status === 403);
    return this.#guardPage(status, link, request, render, { "content-security-policy": FORM_POLICY });
  }

  /** For programs that visit a link with a limited number of clicks. */
  limited(link: GuardedLink, request: Request): Response {
    return this.#guardPage(200, link, request, renderLimitedPage);
  }

  tooManyPasswords(retryMs: number, request: Request): Response {
    const seconds = String(Math.max(1, Math.ceil(retryMs / 1000)));
    return this.#page(429, (pages, site) => pages.tooManyPasswords(site), request, { "retry-after": seconds });
  }

  notFound(request: Request): Response {
    return this.#page(404, (pages, site) => pages.notFound(site), request);
  }

  gone(request: Request): Response {
    return this.#page(410, (pages, site) => pages.gone(site), request);
  }

  blocked({ blocked_reason }: Pick<RedirectRow, "blocked_reason">, request: Request): Response {
    return this.#page(410, (pages, site) => pages.blocked(blocked_reason ?? "suspended")(site), request);
  }

  tooManyMisses(blockedForMs: number, request: Request): Response {
    const seconds = String(Math.max(1, Math.ceil(blockedForMs / 1000)));
    return this.#page(429, (pages, site) => pages.tooManyMisses(site), request, { "retry-after": seconds });
  }

  tooManyRequests(request: Request, extra: HeaderFields): Response {
    return this.#page(429, (pages, site) => pages.tooManyRequests(site), request, extra);
  }

  unavailable(request: RequestHead): Response {
    return this.#page(503, (pages, site) => pages.unavailable(site), request, { "retry-after": RETRY_SECONDS });
  }

  methodNotAllowed(request: Request, allow: "GET, HEAD" | "GET, HEAD, POST" = "GET, HEAD"): Response {
    const fields = { allow, ...(hasLargeBody(request) && { connection: "close" }) };
    return this.#page(405, (pages, site) => pages.methodNotAllowed(site), request, fields);
  }

  targetTooLong(request: Request): Response {
    return this.#page(414, (pages, site) => pages.targetTooLong(site), request);
  }

  /** For errors that are caught where the request is no longer known. */
  internalError(requestId: string): Response {
    return this.#pageIn("en", 500, (pages) => pages.internalError(null), requestId);
  }

  /** For clients that connect to the internal port. */
  misdirected(request: Request): Response {
    const text = "Connect to the public port.\n";
    return this.text(421, text, this.#options.requestIdOf(request), { connection: "close" });
  }

  /** For short links on a node that serves none. */
  notServedHere(request: Request): Response {
    const text = "Short links are served by other nodes.\n";
    return this.text(421, text, this.#options.requestIdOf(request));
  }

  text(status: number, text: string, requestId: string, extra?: HeaderFields): Response {
    const type = { "content-type": "text/plain; charset=utf-8" };
    const headers = { ...this.#dataHeaders, ...type, "x-request-id": requestId, ...extra };
    return new Response(text, { status, headers: this.#withConnection(headers) });
  }

  /** Kept by browsers, so that they ask once a day and not with every visit. */
  noIcon(requestId: string): Response {
    const headers = { ...this.#dataHeaders, "cache-control": "public, max-age=86400", "x-request-id": requestId };
    return new Response(null, { status: 204, headers: this.#withConnection(headers) });
  }

  /** For API requests that control can't answer. */
  apiUnavailable(requestId: string): Response {
    const message = "The service cannot answer right now. Try again in a second.";
    return this.apiError(
      503,
      { code: "unavailable", message, request_id: requestId },
      { "retry-after": RETRY_SECONDS },
    );
  }

  /** The rest of the body may still arrive, so no other request can follow on the connection. */
  bodyLate(requestId: string): Response {
    const message = "The body did not arrive in time.";
    return this.apiError(400, { code: "bad_request", message, request_id: requestId }, { connection: "close" });
  }

  /** An error in the API's envelope. */
  apiError(status: number, error: ApiErrorFields, extra: HeaderFields = {}): Response {
    const headers = {
      ...this.#dataHeaders,
      ...extra,
      "content-type": "application/json; charset=utf-8",
      "x-request-id": error.request_id,
    };
    return new Response(JSON.stringify({ error }), { status, headers: this.#withConnection(headers) });
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  #page(
    status: number,
    render: (pages: Pages, site: string | null) => string,
    request: RequestHead,
    extra?: HeaderFields,
  ): Response {
    const language = chooseLanguage(request.headers.get("accept-language"));
    const choose = (pages: Pages): string => render(pages, this.#siteOf(request));
    return this.#pageIn(language, status, choose, this.#options.requestIdOf(request), extra);
  }

  #siteOf({ headers }: RequestHead): string | null {
    const { domainOf = () => null, shortDomain } = this.#options;
    const domain = domainOf(headers.get("host") ?? "");
    return domain === undefined ? null : siteOf(domain, shortDomain);
  }

  #guardPage(
    status: number,
    { host, target }: GuardedLink,
    request: Request,
    render: (page: GuardPage) => string,
    extra?: HeaderFields,
  ): Response {
    const language = chooseLanguage(request.headers.get("accept-language"));
    const { requestIdOf, shortDomain } = this.#options;
    const page = { language, site: siteOf(host, shortDomain), target };
    return this.#pageIn(language, status, () => render(page), requestIdOf(request), extra);
  }

  #pageIn(
    language: Language,
    status: number,
    choose: (pages: Pages) => string,
    requestId: string,
    extra?: HeaderFields,
  ): Response {
    const headers = { ...this.#pageHeaders, ...extra, "content-language": language, "x-request-id": requestId };
    return new Response(choose(this.#pagesIn(language)), { status, headers: this.#withConnection(headers) });
  }

  #pagesIn(language: Language): Pages {
    const known = this.#pagesByLanguage.get(language);
    if (known) return known;
    const pages = createPages({ ...this.#options, language });
    this.#pagesByLanguage.set(language, pages);
    return pages;
  }

  #withConnection(headers: HeaderFields): HeaderFields {
    return this.#isDraining ? { ...headers, connection: "close" } : headers;
  }
}
