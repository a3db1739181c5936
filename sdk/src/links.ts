import type { CallOptions, Kurz } from "./client.ts";
import type {
  AnalyticsReport,
  Link,
  LinkCreate,
  LinkPage,
  LinkPatch,
  LinksAnalyticsQuery,
  LinksListQuery,
  LinksQrQuery,
  Operations,
} from "./generated.ts";

export interface CreateOptions extends CallOptions {
  /** Made up for each call when left out; give one of your own to try again after a crash. */
  readonly idempotencyKey?: string | undefined;
}

export interface ChangeOptions extends CallOptions {
  /** The `version` that the change is meant for; with another one the call fails with `precondition_failed`. */
  readonly ifMatch?: number | string | undefined;
}

export class Links {
  readonly #kurz: Kurz;

  constructor(kurz: Kurz) {
    this.#kurz = kurz;
  }

  /** One page; `all` goes through the pages for you. */
  async list(query: LinksListQuery = {}, options: CallOptions = {}): Promise<LinkPage> {
    return (await this.#kurz.request("links.list", { query, ...options })).data;
  }

  /** Every link that fits, page by page as they are asked for; `limit` is the size of a page. */
  async *all(query: LinksListQuery = {}, options: CallOptions = {}): AsyncGenerator<Link, void, undefined> {
    let cursor = query.cursor;
    do {
      const page = await this.list({ ...query, cursor }, options);
      yield* page.data;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** Safe to repeat: an `Idempotency-Key` is always sent. */
  async create(body: LinkCreate, options: CreateOptions = {}): Promise<Link> {
    return (await this.#kurz.request("links.create", { body, ...options })).data;
  }

  async get(id: string, options: CallOptions = {}): Promise<Link> {
    return (await this.#kurz.request("links.get", { params: { id }, ...options })).data;
  }

  /** A JSON merge patch: what is absent stays, `null` clears. */
  async update(id: string, patch: LinkPatch, options: ChangeOptions = {}): Promise<Link> {
    return (await this.#kurz.request("links.update", { params: { id }, body: patch, ...options })).data;
  }

  /** For good: the slug is never given out again. */
  async delete(id: string, options: ChangeOptions = {}): Promise<void> {
    await this.#kurz.request("links.delete", { params: { id }, ...options });
  }

  async pause(id: string, options: ChangeOptions = {}): Promise<Link> {
    return this.#act("links.pause", id, options);
  }

  async resume(id: string, options: ChangeOptions = {}): Promise<Link> {
    return this.#act("links.resume", id, options);
  }

  async archive(id: string, options: ChangeOptions = {}): Promise<Link> {
    return this.#act("links.archive", id, options);
  }

  async unarchive(id: string, options: ChangeOptions = {}): Promise<Link> {
    return this.#act("links.unarchive", id, options);
  }

  /** The clicks of one link; `format: "csv"` gives them as a text. */
  analytics(
    id: string,
    query: LinksAnalyticsQuery & { readonly format: "csv" },
    options?: CallOptions,
  ): Promise<string>;
  analytics(
    id: string,
    query?: LinksAnalyticsQuery & { readonly format?: "json" | undefined },
    options?: CallOptions,
  ): Promise<AnalyticsReport>;
  analytics(id: string, query?: LinksAnalyticsQuery, options?: CallOptions): Promise<AnalyticsReport | string>;
  async analytics(id: string, query = {}, options: CallOptions = {}): Promise<AnalyticsReport | string> {
    return (await this.#kurz.request("links.analytics", { params: { id }, query, ...options })).data;
  }

  /** The bytes of an image of the short address, PNG unless `format` says otherwise. */
  async qr(id: string, query: LinksQrQuery = {}, options: CallOptions = {}): Promise<Uint8Array> {
    return (await this.#kurz.request("links.qr", { params: { id }, query, ...options })).data;
  }

  async #act(action: LinkAction, id: string, options: ChangeOptions): Promise<Link> {
    return (await this.#kurz.request(action, { params: { id }, ...options })).data;
  }
}

type LinkAction = keyof Operations & `links.${"pause" | "resume" | "archive" | "unarchive"}`;
