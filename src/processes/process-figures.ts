import { type Figures, series } from "#metrics/figures.ts";
import { Histogram } from "#metrics/histogram.ts";
import { Ledger } from "#metrics/ledger.ts";
import type { Pong } from "./child-life.ts";
import { type ProcessUsage, readUsage } from "./process-usage.ts";

const DELAY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

interface Watched {
  readonly delays: Histogram;
  isUp: boolean;
  ends: number;
}

/** What the supervisor knows of its processes: what it sees itself and what they report. */
export class ProcessFigures {
  readonly #ledger = new Ledger();
  readonly #watched = new Map<string, Watched>();

  /** To be told of all lives of a process, one after the other. */
  watch(process: string) {
    const watched: Watched = { delays: new Histogram(DELAY_SECONDS), isUp: false, ends: 0 };
    this.#watched.set(process, watched);
    return {
      onReady: (): void => {
        watched.isUp = true;
      },
      onPong: ({ usage, figures }: Pong, afterMs: number): void => {
        watched.delays.observe(afterMs / 1000);
        this.#ledger.report(process, { ...figures, ...usageFigures(process, usage) });
      },
      onEnd: (): void => {
        watched.isUp = false;
        watched.ends += 1;
        this.#ledger.endLife(process);
      },
    };
  }

  read(): Figures {
    const watched = [...this.#watched].map(([process, { delays, isUp, ends }]) => ({
      [series("kurz_process_up", { process })]: isUp ? 1 : 0,
      [series("kurz_process_restarts_total", { process })]: ends,
      ...delays.figures("kurz_event_loop_delay_seconds", { process }),
    }));
    return Object.assign({}, ...watched, usageFigures("supervisor", readUsage()), this.#ledger.totals());
  }
}

const usageFigures = (process: string, { cpuSeconds, residentBytes }: ProcessUsage): Figures => ({
  [series("kurz_process_cpu_seconds_total", { process })]: cpuSeconds,
  [series("kurz_process_resident_memory_bytes", { process })]: residentBytes,
});
