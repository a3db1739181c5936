import { allPages } from "./all-pages.ts";
import type { CallOptions, Kurz } from "./client.ts";
import type { Domain, DomainCreate, DomainPage, DomainPatch, DomainsListQuery } from "./generated.ts";
import type { ChangeOptions, CreateOptions } from "./options.ts";

export class Domains {
  readonly #kurz: Kurz;

  constructor(kurz: Kurz) {
    this.#kurz = kurz;
  }

  /** One page; use `all` to iterate over all pages. */
  async list(query: DomainsListQuery = {}, options: CallOptions = {}): Promise<DomainPage> {
    return (await this.#kurz.request("domains.list", { query, ...options })).data;
  }

  /** All domains, fetched page by page as you iterate; `limit` is the page size. */
  all(query: DomainsListQuery = {}, options: CallOptions = {}): AsyncGenerator<Domain, void, undefined> {
    return allPages(query, (page) => this.list(page, options));
  }

  /** Safe to retry: always sends an `Idempotency-Key`. */
  async create(body: DomainCreate, options: CreateOptions = {}): Promise<Domain> {
    return (await this.#kurz.request("domains.create", { body, ...options })).data;
  }

  async get(id: string, options: CallOptions = {}): Promise<Domain> {
    return (await this.#kurz.request("domains.get", { params: { id }, ...options })).data;
  }

  /** Takes a JSON merge patch: omitted fields stay unchanged, `null` clears a field. */
  async update(id: string, patch: DomainPatch, options: ChangeOptions = {}): Promise<Domain> {
    return (await this.#kurz.request("domains.update", { params: { id }, body: patch, ...options })).data;
  }

  /** Fails with `domain_in_use` while the domain has links. */
  async delete(id: string, options: ChangeOptions = {}): Promise<void> {
    await this.#kurz.request("domains.delete", { params: { id }, ...options });
  }

  /** Looks up the TXT record; check `status` and `last_problem` of what it returns. */
  async verify(id: string, options: ChangeOptions = {}): Promise<Domain> {
    return (await this.#kurz.request("domains.verify", { params: { id }, ...options })).data;
  }
}
