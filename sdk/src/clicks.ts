import { allPages } from "./all-pages.ts";
import type { CallOptions, Kurz } from "./client.ts";
import type { Click, ClickPage, ClicksListQuery } from "./generated.ts";

type PageQuery = Omit<ClicksListQuery, "format">;

export class Clicks {
  readonly #kurz: Kurz;

  constructor(kurz: Kurz) {
    this.#kurz = kurz;
  }

  /** One page of single clicks, newest first; use `all` to iterate over all pages. */
  async list(query: PageQuery = {}, options: CallOptions = {}): Promise<ClickPage> {
    const found = await this.#kurz.request("clicks.list", { query: { ...query, format: "json" }, ...options });
    return found.data as ClickPage;
  }

  /** All matching clicks, fetched page by page as you iterate; `limit` is the page size. */
  all(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Click, void, undefined> {
    return allPages(query, (page) => this.list(page, options));
  }
}
