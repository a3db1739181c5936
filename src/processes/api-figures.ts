import { type Figures, series } from "#metrics/figures.ts";
import { Histogram } from "#metrics/histogram.ts";

const DURATION_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts API requests. Routes are operations of the contract, so there are few. */
export class ApiFigures {
  readonly #requests: Record<string, number> = {};
  readonly #durations = new Map<string, Histogram>();
  #rateLimited = 0;

  observe(operation: string | null, status: number, ms: number): void {
    const route = operation ?? "none";
    const key = series("kurz_api_requests_total", { route, status: `${Math.floor(status / 100)}xx` });
    this.#requests[key] = (this.#requests[key] ?? 0) + 1;
    const durations = this.#durations.get(route) ?? new Histogram(DURATION_SECONDS);
    this.#durations.set(route, durations);
    durations.observe(ms / 1000);
    if (status === 429) this.#rateLimited += 1;
  }

  read(): Figures {
    const durations = [...this.#durations].map(([route, histogram]) =>
      histogram.figures("kurz_api_request_duration_seconds", { route }),
    );
    return Object.assign(
      { ...this.#requests, [series("kurz_api_rate_limited_total")]: this.#rateLimited },
      ...durations,
    );
  }
}
