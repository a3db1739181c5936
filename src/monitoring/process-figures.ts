import type { LossTally } from "#clicks/journal/loss-tally.ts";
import { type Figures, series, seriesBy } from "#metrics/figures.ts";
import { Histogram } from "#metrics/histogram.ts";
import { Ledger } from "#metrics/ledger.ts";
import { type ProcessUsage, readUsage } from "./process-usage.ts";

const DELAY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** What a process sends with some of its pongs. */
export interface ProcessReport {
  readonly usage: ProcessUsage;
  readonly figures: Figures;
}

interface Watched {
  readonly delays: Histogram;
  isUp: boolean;
  ends: number;
}

/** What the supervisor knows of its processes: what it sees itself and what they report. */
export class ProcessFigures {
  readonly #ledger = new Ledger();
  readonly #watched = new Map<string, Watched>();

  /** Follows a process through its restarts. Lost clicks come from the tally, if there is one. */
  watch(process: string, tally?: LossTally) {
    const delays = new Histogram(DELAY_SECONDS, "kurz_event_loop_delay_seconds", { process });
    const watched: Watched = { delays, isUp: false, ends: 0 };
    let last: Figures = {};
    this.#watched.set(process, watched);
    return {
      onReady: (): void => {
        watched.isUp = true;
      },
      onPong: ({ report }: { readonly report?: ProcessReport }, afterMs: number): void => {
        watched.delays.observe(afterMs / 1000);
        if (report === undefined) return;
        const { usage, figures } = report;
        last = { ...figures, ...usageFigures(process, usage) };
        this.#ledger.report(process, { ...last, ...(tally && lossFigures(tally.lost)) });
      },
      onEnd: (): void => {
        watched.isUp = false;
        watched.ends += 1;
        if (tally) this.#ledger.report(process, { ...last, ...lossFigures(lossesAtEnd(tally)) });
        this.#ledger.endLife(process);
        last = {};
        tally?.clear();
      },
    };
  }

  read(): Figures {
    const watched = [...this.#watched].map(([process, { delays, isUp, ends }]) => ({
      [series("kurz_process_up", { process })]: isUp ? 1 : 0,
      [series("kurz_process_restarts_total", { process })]: ends,
      ...delays.figures(),
    }));
    return Object.assign({}, ...watched, usageFigures("supervisor", readUsage()), this.#ledger.totals());
  }
}

/** What a process has lost, now that it is gone: also what it had answered and not written. */
export const lossesAtEnd = (tally: LossTally): Readonly<Record<string, number>> => ({
  ...tally.lost,
  killed: tally.unwritten,
});

const lossFigures = (lost: Readonly<Record<string, number>>): Figures =>
  seriesBy("kurz_clicks_dropped_total", "reason", lost);

const usageFigures = (process: string, { cpuSeconds, residentBytes }: ProcessUsage): Figures => ({
  [series("kurz_process_cpu_seconds_total", { process })]: cpuSeconds,
  [series("kurz_process_resident_memory_bytes", { process })]: residentBytes,
});
