import type { RedirectRow } from "#engines/records/redirect-reader.ts";
import { STRICT_TRANSPORT_SECURITY } from "#kernel/transport-security.ts";
import { PAGE_POLICY } from "./page-layout.ts";
import { createPages, type PagesOptions, type Preview } from "./pages.ts";

export interface AnswersOptions extends PagesOptions {
  readonly isHttps: boolean;
}

type HeaderFields = Readonly<Record<string, string>>;

/** RFC 6797 §7.2: a browser takes it only from https, where it may as well stay for a year. */
const HSTS = { "strict-transport-security": STRICT_TRANSPORT_SECURITY };
const RETRY_SECONDS = "1";

/** Every response that this process makes itself. */
export class Answers {
  readonly #pages: ReturnType<typeof createPages>;
  readonly #pageHeaders: HeaderFields;
  readonly #dataHeaders: HeaderFields;
  readonly #redirectInit = {
    status: 302,
    headers: new Headers({ "cache-control": "private, no-store", "x-robots-tag": "noindex" }),
  };
  #isDraining = false;

  constructor({ isHttps, ...pages }: AnswersOptions) {
    this.#pages = createPages(pages);
    const always = { "cache-control": "no-store", "x-content-type-options": "nosniff", ...(isHttps ? HSTS : {}) };
    this.#pageHeaders = {
      ...always,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": PAGE_POLICY,
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "x-robots-tag": "noindex",
    };
    this.#dataHeaders = { ...always, "content-security-policy": "default-src 'none'; frame-ancestors 'none'" };
  }

  /** From now on clients are asked not to use their connections again, because this process leaves. */
  startDraining(): void {
    this.#isDraining = true;
    this.#redirectInit.headers.set("connection", "close");
  }

  /**
   * A body would only cost: no browser shows the one of a redirect. All redirects are made from one header object, which
   * each response copies: that is cheaper than reading a new literal every time.
   */
  redirect(location: string, requestId: string): Response {
    const { headers } = this.#redirectInit;
    headers.set("location", location);
    headers.set("x-request-id", requestId);
    return new Response(null, this.#redirectInit);
  }

  preview(preview: Preview, requestId: string): Response {
    return this.#page(200, this.#pages.preview(preview), requestId);
  }

  notFound(requestId: string): Response {
    return this.#page(404, this.#pages.notFound, requestId);
  }

  gone(requestId: string): Response {
    return this.#page(410, this.#pages.gone, requestId);
  }

  blocked({ blocked_reason }: Pick<RedirectRow, "blocked_reason">, requestId: string): Response {
    return this.#page(410, this.#pages.blocked(blocked_reason ?? "suspended"), requestId);
  }

  tooManyMisses(blockedForMs: number, requestId: string): Response {
    const seconds = String(Math.max(1, Math.ceil(blockedForMs / 1000)));
    return this.#page(429, this.#pages.tooManyMisses, requestId, { "retry-after": seconds });
  }

  unavailable(requestId: string): Response {
    return this.#page(503, this.#pages.unavailable, requestId, { "retry-after": RETRY_SECONDS });
  }

  methodNotAllowed(requestId: string): Response {
    return this.#page(405, this.#pages.methodNotAllowed, requestId, { allow: "GET, HEAD" });
  }

  targetTooLong(requestId: string): Response {
    return this.#page(414, this.#pages.targetTooLong, requestId);
  }

  internalError(requestId: string): Response {
    return this.#page(500, this.#pages.internalError, requestId);
  }

  text(status: number, text: string, requestId: string): Response {
    const headers = { ...this.#dataHeaders, "content-type": "text/plain; charset=utf-8", "x-request-id": requestId };
    return new Response(text, { status, headers: this.#withConnection(headers) });
  }

  /** The error envelope of the API, for when control cannot answer. */
  apiUnavailable(requestId: string): Response {
    const error = {
      code: "unavailable",
      message: "The service cannot answer right now. Try again in a second.",
      request_id: requestId,
    };
    const headers = {
      ...this.#dataHeaders,
      "content-type": "application/json; charset=utf-8",
      "retry-after": RETRY_SECONDS,
      "x-request-id": requestId,
    };
    return new Response(JSON.stringify({ error }), { status: 503, headers: this.#withConnection(headers) });
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  #page(status: number, body: string, requestId: string, extra?: HeaderFields): Response {
    const headers = { ...this.#pageHeaders, ...extra, "x-request-id": requestId };
    return new Response(body, { status, headers: this.#withConnection(headers) });
  }

  #withConnection(headers: HeaderFields): HeaderFields {
    return this.#isDraining ? { ...headers, connection: "close" } : headers;
  }
}
