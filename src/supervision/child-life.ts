import type { Subprocess } from "bun";
import { childEnvironment } from "#config/child-environment.ts";
import { afterMs } from "#runtime/after-ms.ts";
import type { FromChild, ToChild } from "./child-role.ts";
import { mainThreadState, waitsForDisk } from "./thread-state.ts";

export interface LifeOptions {
  /** Called at each start. */
  readonly command: () => readonly string[];
  /** How long the process may leave pings unanswered before it counts as hung; waiting for a core doesn't count. */
  readonly silenceMsMax: number;
  /** Descriptors that the process gets as numbers 3 and up. */
  readonly handed?: readonly number[];
  /** In addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly onReady: () => void;
  /** The process answered a ping, so many milliseconds later. */
  readonly onPong: (pong: Pong, afterMs: number) => void;
  /** It does not answer because the disk does not. */
  readonly onDiskWait: (pid: number) => void;
  readonly onEnd: () => void;
}

export type Pong = Extract<FromChild, { readonly type: "pong" }>;

export interface LifeEnd {
  readonly pid: number | undefined;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | number | null;
  /** Why the supervisor ended it, or what the process said about its failure. */
  readonly error: string | undefined;
  readonly wasReady: boolean;
  /** How long it served. */
  readonly readyMs: number;
}

const BEAT_MS = 250;
const START_MS_MAX = 10_000;
// Longer than a redirect process waits for the answers that are on their way. After that it goes on, too.
const RELEASE_MS_MAX = 10_000;

/** One process from spawn to exit. */
export class ChildLife {
  readonly ended: Promise<LifeEnd>;
  readonly #options: LifeOptions;
  readonly #process: Subprocess<"ignore", "inherit", "inherit"> | undefined;
  #readyAt: number | undefined;
  #error: string | undefined;
  #silentMs = 0;
  /** How long its main thread had been on a core at the last beat. */
  #cpuMs = 0;
  /** When the pings that are not answered yet were sent. */
  readonly #pingedAt: number[] = [];
  #hasEnded = false;
  readonly #released = Promise.withResolvers<void>();

  constructor(options: LifeOptions) {
    this.#options = options;
    try {
      this.#process = Bun.spawn([...options.command()], {
        stdio: ["ignore", "inherit", "inherit", ...(options.handed ?? [])],
        env: childEnvironment(options.env),
        serialization: "json",
        ipc: (message: FromChild) => this.#hear(message),
      });
    } catch (error) {
      this.#error = String(error);
    }
    this.ended = this.#watch();
  }

  /** Asks for an orderly stop. A process that is not ready has nothing to finish. */
  stop(): void {
    if (this.#readyAt === undefined) this.kill();
    else this.#send({ type: "stop" });
  }

  drain(): void {
    this.#send({ type: "drain" });
  }

  tellAlone(fromEpoch: number): void {
    this.#send({ type: "alone", fromEpoch });
  }

  /** Tells it to go on without a supervisor; returns its id, or nothing if it isn't there to do so. */
  async release(): Promise<number | undefined> {
    if (this.#readyAt === undefined || this.#hasEnded) return undefined;
    this.#send({ type: "release" });
    return await Promise.race([
      Promise.race([this.#released.promise, afterMs(RELEASE_MS_MAX)]).then(() => this.#process?.pid),
      this.ended.then(() => undefined),
    ]);
  }

  kill(): void {
    this.#process?.kill("SIGKILL");
  }

  async #watch(): Promise<LifeEnd> {
    const beat = setInterval(() => this.#beat(), BEAT_MS);
    await this.#process?.exited;
    clearInterval(beat);
    this.#hasEnded = true;
    this.#options.onEnd();
    return {
      pid: this.#process?.pid,
      code: this.#process?.exitCode ?? null,
      signal: this.#process?.signalCode ?? null,
      error: this.#error,
      wasReady: this.#readyAt !== undefined,
      readyMs: this.#readyAt === undefined ? 0 : performance.now() - this.#readyAt,
    };
  }

  #hear(message: FromChild): void {
    // Its figures are final: anything that arrives late would be counted twice.
    if (this.#hasEnded) return;
    this.#silentMs = 0;
    if (message.type === "pong") this.#options.onPong(message, performance.now() - (this.#pingedAt.shift() ?? 0));
    if (message.type === "failed") this.#error = message.error;
    if (message.type === "released") this.#released.resolve();
    if (message.type !== "ready" || this.#readyAt !== undefined) return;
    this.#readyAt = performance.now();
    this.#options.onReady();
  }

  #beat(): void {
    // Counts beats instead of time: while this process is blocked itself (suspend, overload), there are none.
    this.#silentMs += this.#chanceMs();
    const isReady = this.#readyAt !== undefined;
    if (this.#silentMs >= (isReady ? this.#options.silenceMsMax : START_MS_MAX)) {
      this.#end(isReady ? "hung: it answered no ping" : "not ready in time");
    } else if (isReady) {
      this.#pingedAt.push(performance.now());
      this.#send({ type: "ping" });
    }
  }

  /**
   * For how much of the last beat it could have answered. On an overloaded machine a process that wants to run may not
   * get a core, and neither would its replacement.
   */
  #chanceMs(): number {
    const thread = this.#process && mainThreadState(this.#process.pid);
    if (thread === undefined) return BEAT_MS;
    const onCoreMs = thread.cpuMs - this.#cpuMs;
    this.#cpuMs = thread.cpuMs;
    return thread.state === "R" ? Math.min(onCoreMs, BEAT_MS) : BEAT_MS;
  }

  /** A process that waits for the disk is spared: a kill would wait for the disk too. Its time limit starts over. */
  #end(error: string): void {
    const pid = this.#process?.pid;
    if (pid !== undefined && waitsForDisk(pid)) {
      this.#silentMs = 0;
      this.#options.onDiskWait(pid);
      return;
    }
    this.#error = error;
    this.kill();
  }

  #send(message: ToChild): void {
    try {
      this.#process?.send(message);
    } catch {
      // It has just exited, and `ended` will resolve.
    }
  }
}
