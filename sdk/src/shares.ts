import { allPages } from "./all-pages.ts";
import type { CallOptions, Kurz } from "./client.ts";
import type { Share, SharePage, SharesListQuery } from "./generated.ts";

/** Public, read-only reports of links; `links.share` makes one. */
export class Shares {
  readonly #kurz: Kurz;

  constructor(kurz: Kurz) {
    this.#kurz = kurz;
  }

  /** One page of the account's; use `all` to iterate over all pages. */
  async list(query: SharesListQuery = {}, options: CallOptions = {}): Promise<SharePage> {
    return (await this.#kurz.request("shares.list", { query, ...options })).data;
  }

  /** All of the account, fetched page by page as you iterate; `limit` is the page size. */
  all(query: SharesListQuery = {}, options: CallOptions = {}): AsyncGenerator<Share, void, undefined> {
    return allPages(query, (page) => this.list(page, options));
  }

  /** From then on the report's address returns 404. */
  async revoke(id: string, options: CallOptions = {}): Promise<void> {
    await this.#kurz.request("shares.revoke", { params: { id }, ...options });
  }
}
