import { allPages } from "./all-pages.ts";
import type { CallOptions, Kurz } from "./client.ts";
import type {
  AnalyticsReport,
  Link,
  LinkBulkResults,
  LinkCount,
  LinkCreate,
  LinkOperation,
  LinkPage,
  LinkPatch,
  LinkReplace,
  LinksAnalyticsQuery,
  LinksCountQuery,
  LinksExportQuery,
  LinksHistoryQuery,
  LinksListQuery,
  LinksQrQuery,
  LinkVersion,
  LinkVersionPage,
  LinkVisit,
  Operations,
  Resolution,
  Share,
  ShareCreate,
  TagChange,
} from "./generated.ts";
import { linesOf } from "./lines.ts";
import type { BulkOptions, ChangeOptions, CreateOptions, DeleteOptions } from "./options.ts";

export class Links {
  readonly #kurz: Kurz;

  constructor(kurz: Kurz) {
    this.#kurz = kurz;
  }

  /** One page; use `all` to iterate over all pages. With `fields`, links only have those. */
  list<F extends keyof Link>(query: Selecting<F>, options?: CallOptions): Promise<SelectedPage<F>>;
  list(query?: LinksListQuery, options?: CallOptions): Promise<LinkPage>;
  async list(query: LinksListQuery = {}, options: CallOptions = {}): Promise<LinkPage> {
    return (await this.#kurz.request("links.list", { query, ...options })).data;
  }

  /** All matching links, fetched page by page as you iterate; `limit` is the page size. */
  all<F extends keyof Link>(query: Selecting<F>, options?: CallOptions): AsyncGenerator<Pick<Link, F>, void, undefined>;
  all(query?: LinksListQuery, options?: CallOptions): AsyncGenerator<Link, void, undefined>;
  all(query: LinksListQuery = {}, options: CallOptions = {}): AsyncGenerator<Link, void, undefined> {
    return allPages(query, (page) => this.list(page, options));
  }

  /** Counts what `list` returns with the same filters: exact up to 10,000, and `at_least` beyond. */
  async count(query: LinksCountQuery = {}, options: CallOptions = {}): Promise<LinkCount> {
    return (await this.#kurz.request("links.count", { query, ...options })).data;
  }

  /** All matching links, oldest first, in one request. Stop iterating, or abort the signal, to end it early. */
  async *export(query: LinksFilter = {}, options: CallOptions = {}): AsyncGenerator<Link, void, undefined> {
    const { data } = await this.#kurz.request("links.export", { query: { ...query, format: "ndjson" }, ...options });
    for await (const line of linesOf(data)) yield JSON.parse(line) as Link;
  }

  /** The same as a table, for example to write to a file. */
  async exportCsv(query: LinksFilter = {}, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return (await this.#kurz.request("links.export", { query: { ...query, format: "csv" }, ...options })).data;
  }

  /** Safe to retry: always sends an `Idempotency-Key`. */
  async create(body: LinkCreate, options: CreateOptions = {}): Promise<Link> {
    return (await this.#kurz.request("links.create", { body, ...options })).data;
  }

  /** Creates the link with this `external_id`, or replaces its fields. Safe to repeat. */
  async upsert(externalId: string, body: LinkReplace, options: ChangeOptions = {}): Promise<Link> {
    return (await this.#kurz.request("links.upsert", { params: { external_id: externalId }, body, ...options })).data;
  }

  async get(id: string, options: CallOptions = {}): Promise<Link> {
    return (await this.#kurz.request("links.get", { params: { id }, ...options })).data;
  }

  /** Takes a JSON merge patch: omitted fields stay unchanged, `null` clears a field. */
  async update(id: string, patch: LinkPatch, options: ChangeOptions = {}): Promise<Link> {
    return (await this.#kurz.request("links.update", { params: { id }, body: patch, ...options })).data;
  }

  /** Adds and removes tags, and keeps those that others change at the same time. */
  async tags(id: string, change: TagChange, options: ChangeOptions = {}): Promise<Link> {
    return (await this.#kurz.request("links.tags", { params: { id }, body: change, ...options })).data;
  }

  /** Moves the link to the trash, where `restore` finds it for 30 days; with `permanent`, erases it at once. */
  async delete(id: string, { permanent, ...options }: DeleteOptions = {}): Promise<void> {
    const query = permanent === undefined ? {} : { permanent };
    await this.#kurz.request("links.delete", { params: { id }, query, ...options });
  }

  /** Brings a deleted link back, in the state it was in before. */
  async restore(id: string, options: ChangeOptions = {}): Promise<Link> {
    return this.#act("links.restore", id, options);
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

  /**
   * Up to 1,000 operations. Each has a result of its own; with `atomic`, all succeed or the call throws
   * `operation_failed`. Safe to retry: always sends an `Idempotency-Key`.
   */
  async bulk(operations: readonly LinkOperation[], { atomic, ...options }: BulkOptions = {}): Promise<LinkBulkResults> {
    const body = atomic === undefined ? { operations } : { operations, atomic };
    return (await this.#kurz.request("links.bulk", { body, ...options })).data;
  }

  /** One page of the link's versions, newest first; use `allVersions` to iterate over all pages. */
  async history(id: string, query: LinksHistoryQuery = {}, options: CallOptions = {}): Promise<LinkVersionPage> {
    return (await this.#kurz.request("links.history", { params: { id }, query, ...options })).data;
  }

  /** All versions of the link, newest first, fetched page by page as you iterate. */
  allVersions(
    id: string,
    query: LinksHistoryQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<LinkVersion, void, undefined> {
    return allPages(query, (page) => this.history(id, page, options));
  }

  /** Gives the link the fields that it had in a version. State and password stay as they are. */
  async revert(id: string, version: number, options: ChangeOptions = {}): Promise<Link> {
    return (await this.#kurz.request("links.revert", { params: { id }, body: { version }, ...options })).data;
  }

  /** What a visitor would get, and why. Counts nothing; `rules` can be sent along without saving them. */
  async resolve(id: string, visit: LinkVisit = {}, options: CallOptions = {}): Promise<Resolution> {
    return (await this.#kurz.request("links.resolve", { params: { id }, body: visit, ...options })).data;
  }

  /** Clicks on one link; `format: "csv"` returns text. */
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

  /** Makes a public, read-only report of the link. Safe to retry: always sends an `Idempotency-Key`. */
  async share(id: string, body: ShareCreate = {}, options: CreateOptions = {}): Promise<Share> {
    return (await this.#kurz.request("links.share", { params: { id }, body, ...options })).data;
  }

  /** The link's public reports. `shares.list` has those of all links. */
  async shares(id: string, options: CallOptions = {}): Promise<readonly Share[]> {
    return (await this.#kurz.request("links.shares", { params: { id }, ...options })).data.data;
  }

  /** A QR code image of the short URL as bytes, PNG by default. */
  async qr(id: string, query: LinksQrQuery = {}, options: CallOptions = {}): Promise<Uint8Array> {
    return (await this.#kurz.request("links.qr", { params: { id }, query, ...options })).data;
  }

  async #act(action: LinkAction, id: string, options: ChangeOptions): Promise<Link> {
    return (await this.#kurz.request(action, { params: { id }, ...options })).data;
  }
}

type Selecting<F extends keyof Link> = LinksListQuery & { readonly fields: readonly F[] };

interface SelectedPage<F extends keyof Link> extends Omit<LinkPage, "data"> {
  readonly data: readonly Pick<Link, F>[];
}

type LinksFilter = Omit<LinksExportQuery, "format">;
type LinkAction = keyof Operations & `links.${"pause" | "resume" | "archive" | "unarchive" | "restore"}`;
