import type { CallOptions, Kurz } from "./client.ts";
import type { ApiToken, NewApiToken, TokenCreate } from "./generated.ts";

/** The account's API tokens. */
export class Tokens {
  readonly #kurz: Kurz;

  constructor(kurz: Kurz) {
    this.#kurz = kurz;
  }

  /** All of them, newest first, without their values. */
  async list(options: CallOptions = {}): Promise<readonly ApiToken[]> {
    return (await this.#kurz.request("tokens.list", options)).data.data;
  }

  /** A token with no more rights than yours. Its value is only in the result. */
  async create(body: TokenCreate, options: CallOptions = {}): Promise<NewApiToken> {
    return (await this.#kurz.request("tokens.create", { body, ...options })).data;
  }

  /** From then on requests with it fail. */
  async revoke(id: string, options: CallOptions = {}): Promise<void> {
    await this.#kurz.request("tokens.revoke", { params: { id }, ...options });
  }
}
