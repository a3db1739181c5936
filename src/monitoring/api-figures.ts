import { type Figures, series } from "#metrics/figures.ts";
import { Histogram } from "#metrics/histogram.ts";

const DURATION_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Operation {
  /** By class, as `2xx`. */
  readonly answers: Map<string, number>;
  readonly durations: Histogram;
}

/** Counts API requests. Routes are operations of the contract, so there are few. */
export class ApiFigures {
  readonly #operations = new Map<string, Operation>();
  #rateLimited = 0;

  observe(operation: string | null, status: number, ms: number): void {
    const { answers, durations } = this.#get(operation ?? "none");
    const statusClass = `${Math.floor(status / 100)}xx`;
    answers.set(statusClass, (answers.get(statusClass) ?? 0) + 1);
    durations.observe(ms / 1000);
    if (status === 429) this.#rateLimited += 1;
  }

  read(): Figures {
    const figures: Record<string, number> = { [series("kurz_api_rate_limited_total")]: this.#rateLimited };
    for (const [route, { answers, durations }] of this.#operations) {
      for (const [status, count] of answers) figures[series("kurz_api_requests_total", { route, status })] = count;
      Object.assign(figures, durations.figures());
    }
    return figures;
  }

  #get(route: string): Operation {
    const known = this.#operations.get(route);
    if (known) return known;
    const durations = new Histogram(DURATION_SECONDS, "kurz_api_request_duration_seconds", { route });
    const operation = { answers: new Map<string, number>(), durations };
    this.#operations.set(route, operation);
    return operation;
  }
}
