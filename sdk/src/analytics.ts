import type { CallOptions, Kurz } from "./client.ts";
import type { AnalyticsGetQuery, AnalyticsReport } from "./generated.ts";

export class Analytics {
  readonly #kurz: Kurz;

  constructor(kurz: Kurz) {
    this.#kurz = kurz;
  }

  /** Clicks on all of the account's links; `format: "csv"` returns text. */
  get(query: AnalyticsGetQuery & { readonly format: "csv" }, options?: CallOptions): Promise<string>;
  get(
    query?: AnalyticsGetQuery & { readonly format?: "json" | undefined },
    options?: CallOptions,
  ): Promise<AnalyticsReport>;
  get(query?: AnalyticsGetQuery, options?: CallOptions): Promise<AnalyticsReport | string>;
  async get(query = {}, options: CallOptions = {}): Promise<AnalyticsReport | string> {
    return (await this.#kurz.request("analytics.get", { query, ...options })).data;
  }
}
