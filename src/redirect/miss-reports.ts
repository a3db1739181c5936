import type { MissCount } from "#engines/coordination/change-messages.ts";

export interface MissReportsOptions {
  /** How many unconfirmed misses one address may have. */
  readonly unconfirmedMax: number;
  /** Returns whether the report went out. */
  readonly send: (n: number, counts: readonly MissCount[]) => boolean;
  readonly waitMsMax?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

interface Report {
  readonly n: number;
  readonly counts: readonly MissCount[];
}

const ADDRESSES_MAX = 100_000;
const REPORTS_MAX = 100;
// Only someone with many misses ever waits. A busy control takes its time; giving up would forget what isn't counted.
const WAIT_MS_MAX = 5000;
const KEPT_MS_MAX = 60_000;
const KEPT_ADDRESSES_MAX = 1000;

/** Reports this process's misses to control and tracks which of them control has confirmed. */
export class MissReports {
  readonly #options: MissReportsOptions;
  readonly #unreported = new Map<string, number>();
  readonly #unconfirmed = new Map<string, number>();
  #unreportedSince = 0;
  #sent: Report[] = [];
  #reports = 0;
  #waiting: PromiseWithResolvers<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: MissReportsOptions) {
    this.#options = options;
  }

  hasRoomFor(address: string): boolean {
    return (this.#unconfirmed.get(address) ?? 0) < this.#options.unconfirmedMax;
  }

  add(address: string): void {
    if (this.#unconfirmed.size >= ADDRESSES_MAX) this.giveUp();
    this.#unconfirmed.set(address, (this.#unconfirmed.get(address) ?? 0) + 1);
    if (this.#unreported.size === 0) this.#unreportedSince = this.#now();
    const unreported = (this.#unreported.get(address) ?? 0) + 1;
    this.#unreported.set(address, unreported);
    if (unreported % Math.ceil(this.#options.unconfirmedMax / 2) === 0) this.flush();
  }

  flush(): void {
    if (this.#unreported.size === 0) return;
    const report = { n: this.#reports, counts: [...this.#unreported] };
    this.#reports += 1;
    if (!this.#options.send(report.n, report.counts)) {
      this.#keepForLater();
      return;
    }
    this.#unreported.clear();
    this.#sent.push(report);
    if (this.#sent.length > REPORTS_MAX) this.giveUp();
  }

  /** Resolves when control confirms another report, or if there's nothing to wait for. */
  nextConfirmation(): Promise<void> {
    this.flush();
    if (this.#sent.length === 0) return Promise.resolve();
    this.#timer ??= setTimeout(() => this.giveUp(), this.#options.waitMsMax ?? WAIT_MS_MAX);
    this.#waiting ??= Promise.withResolvers();
    return this.#waiting.promise;
  }

  confirm(n: number): void {
    for (let report = this.#sent[0]; report && report.n <= n; report = this.#sent[0]) {
      for (const [address, misses] of report.counts) this.#settle(address, misses);
      this.#sent.shift();
    }
    this.#wake();
  }

  /** Control is gone or hangs: unconfirmed misses stay uncounted there, and waiting callers continue. */
  giveUp(): void {
    this.#unreported.clear();
    this.#stopWaiting();
  }

  /** Control is unavailable: it gets the last minute's misses when it is back. */
  #keepForLater(): void {
    const isOld = this.#now() - this.#unreportedSince > KEPT_MS_MAX;
    if (isOld || this.#unreported.size > KEPT_ADDRESSES_MAX) this.#unreported.clear();
    this.#stopWaiting();
  }

  #stopWaiting(): void {
    this.#sent = [];
    this.#unconfirmed.clear();
    this.#wake();
  }

  #now(): number {
    return this.#options.now?.() ?? performance.now();
  }

  #settle(address: string, misses: number): void {
    const rest = (this.#unconfirmed.get(address) ?? 0) - misses;
    if (rest > 0) this.#unconfirmed.set(address, rest);
    else this.#unconfirmed.delete(address);
  }

  #wake(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }
}
