import { lstat } from "node:fs/promises";
import { isControlUp } from "./control-up.ts";

const ASK_MS = 25;
// Control finishes what it has begun; what is still on its way there would be lost.
const ANSWERS_MS_MAX = 5000;
// A control process that has more to migrate than this takes is as good as away.
const WAIT_MS_MAX = 60_000;

/** Calls for control wait here while it changes over to another program; at all other times they aren't delayed. */
export class ControlGate {
  readonly #socketPath: string;
  #opening: Promise<void> | undefined;
  #unanswered = 0;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** Fulfilled when calls may go on; `undefined` if nothing has to wait. */
  get opening(): Promise<void> | undefined {
    return this.#opening;
  }

  /** Waits until calls may go on, then does the same as `depart`; rejects if the signal aborts first. */
  async enter(signal: AbortSignal): Promise<() => void> {
    if (this.#opening !== undefined) await orAborted(this.#opening, signal);
    return this.depart();
  }

  /** Counts a call that is on its way to control; call what it returns once there is an answer, or none will come. */
  depart(): () => void {
    this.#unanswered += 1;
    let isBack = false;
    return () => {
      if (!isBack) this.#unanswered -= 1;
      isBack = true;
    };
  }

  /** Until control answers, which hasn't started yet. */
  closeUntilUp(): void {
    this.#close(() => Promise.resolve(true));
  }

  /** Until another control answers than the one that is there now; fulfilled when that one may stop. */
  async closeUntilReplaced(): Promise<void> {
    const now = Promise.withResolvers<string>();
    this.#close(async () => (await this.#identify()) !== (await now.promise));
    now.resolve(await this.#identify());
    const startedAt = performance.now();
    while (this.#unanswered > 0 && performance.now() - startedAt < ANSWERS_MS_MAX) await Bun.sleep(ASK_MS);
  }

  #close(isAnother: () => Promise<boolean>): void {
    // A disk that doesn't answer must not keep it closed.
    const opening = Promise.race([this.#await(isAnother), Bun.sleep(WAIT_MS_MAX)]).finally(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    this.#opening = opening;
  }

  async #await(isAnother: () => Promise<boolean>): Promise<void> {
    const startedAt = performance.now();
    while (performance.now() - startedAt < WAIT_MS_MAX) {
      if ((await isAnother()) && (await isControlUp(this.#socketPath))) return;
      await Bun.sleep(ASK_MS);
    }
  }

  /** Each process has a socket of its own at that path. */
  async #identify(): Promise<string> {
    const found = await lstat(this.#socketPath, { bigint: true }).catch(() => undefined);
    return found === undefined ? "none" : `${found.ino} ${found.ctimeNs}`;
  }
}

async function orAborted(opening: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener("abort", onAbort);
  try {
    await Promise.race([opening, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
