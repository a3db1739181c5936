import type { CallOptions, Kurz } from "./client.ts";
import type { Identity } from "./generated.ts";

export class Me {
  readonly #kurz: Kurz;

  constructor(kurz: Kurz) {
    this.#kurz = kurz;
  }

  /** The account, plan and limits of the token you use. */
  async get(options: CallOptions = {}): Promise<Identity> {
    return (await this.#kurz.request("me.get", options)).data;
  }
}
