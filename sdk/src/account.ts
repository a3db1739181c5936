import type { CallOptions, Kurz } from "./client.ts";

export class Account {
  readonly #kurz: Kurz;

  constructor(kurz: Kurz) {
    this.#kurz = kurz;
  }

  /** Everything of the account as an archive (.tar.gz) that another Kurz can import, for example to write to a file. */
  async export(options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return (await this.#kurz.request("account.export", options)).data;
  }
}
