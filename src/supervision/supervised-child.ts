import { backoffMs } from "#kernel/backoff.ts";
import { logEvent } from "#runtime/log.ts";
import { ChildLife, type LifeEnd, type LifeOptions } from "./child-life.ts";

export interface ChildOptions extends LifeOptions {
  readonly role: string;
  /** Called at each failure of a process that has never been ready, with their number so far. */
  readonly onFailedStart: (failures: number, reason: string) => void;
}

const RESTART_MS_FIRST = 100;
const RESTART_MS_MAX = 5000;
// A process that served this long starts again without the delays of earlier failures.
const STEADY_MS = 10_000;

/** A process that is restarted whenever it ends, until `stop`. */
export class SupervisedChild {
  readonly #options: ChildOptions;
  readonly #ended: Promise<void>;
  readonly #stopped = Promise.withResolvers<void>();
  #life: ChildLife | undefined;
  #isDraining = false;
  #isStopping = false;

  constructor(options: ChildOptions) {
    this.#options = options;
    this.#ended = this.#keepAlive();
  }

  /** Tells the process, and any that takes its place, that it will stop soon. */
  drain(): void {
    this.#isDraining = true;
    this.#life?.drain();
  }

  tellAlone(fromEpoch: number): void {
    this.#life?.tellAlone(fromEpoch);
  }

  /** Leaves the process to the next supervisor; returns its id, or nothing if there is none that serves. */
  async release(): Promise<number | undefined> {
    this.#isStopping = true;
    this.#stopped.resolve();
    return await this.#life?.release();
  }

  /** Resolves when the process has left. */
  stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopped.resolve();
    this.#life?.stop();
    return this.#ended;
  }

  kill(): Promise<void> {
    this.#isStopping = true;
    this.#stopped.resolve();
    this.#life?.kill();
    return this.#ended;
  }

  async #keepAlive(): Promise<void> {
    let failures = 0;
    let wasEverReady = false;
    while (!this.#isStopping) {
      this.#life = new ChildLife({ ...this.#options, onReady: this.#onReady });
      const end = await this.#life.ended;
      if (this.#isStopping) return this.#logEnd(end);
      failures = end.readyMs >= STEADY_MS ? 1 : failures + 1;
      wasEverReady ||= end.wasReady;
      const restartMs = backoffMs(failures, RESTART_MS_FIRST, RESTART_MS_MAX);
      this.#logEnd(end, restartMs);
      if (!wasEverReady) this.#options.onFailedStart(failures, describeEnd(end));
      await Promise.race([Bun.sleep(restartMs), this.#stopped.promise]);
    }
  }

  readonly #onReady = (): void => {
    if (this.#isDraining) this.#life?.drain();
    this.#options.onReady();
  };

  #logEnd({ pid, code, signal, error }: LifeEnd, restartMs?: number): void {
    if (restartMs === undefined && code === 0) return;
    const { role } = this.#options;
    logEvent("error", "a process ended", { role, pid, code, signal, error, restart_ms: restartMs });
  }
}

const describeEnd = ({ error, signal, code }: LifeEnd): string =>
  error?.split("\n", 1)[0] ?? (signal ? `ended by ${signal}` : `exit code ${code}`);
