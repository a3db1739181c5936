import { allPages } from "./all-pages.ts";
import type { CallOptions, Kurz } from "./client.ts";
import type { Tag, TagPage, TagPatch, TagsListQuery } from "./generated.ts";

export class Tags {
  readonly #kurz: Kurz;

  constructor(kurz: Kurz) {
    this.#kurz = kurz;
  }

  /** One page by name; use `all` to iterate over all pages. */
  async list(query: TagsListQuery = {}, options: CallOptions = {}): Promise<TagPage> {
    return (await this.#kurz.request("tags.list", { query, ...options })).data;
  }

  /** All tags, fetched page by page as you iterate; `limit` is the page size. */
  all(query: TagsListQuery = {}, options: CallOptions = {}): AsyncGenerator<Tag, void, undefined> {
    return allPages(query, (page) => this.list(page, options));
  }

  async get(tag: string, options: CallOptions = {}): Promise<Tag> {
    return (await this.#kurz.request("tags.get", { params: { tag }, ...options })).data;
  }

  /** Renames the tag on all links, merges it into another or colors it; `pending` tells whether that still goes on. */
  async update(tag: string, patch: TagPatch, options: CallOptions = {}): Promise<Tag> {
    return (await this.#kurz.request("tags.update", { params: { tag }, body: patch, ...options })).data;
  }

  /** Removes the tag from all links. */
  async delete(tag: string, options: CallOptions = {}): Promise<void> {
    await this.#kurz.request("tags.delete", { params: { tag }, ...options });
  }
}
