/** Recurring work that can be paused. */
export class Pausable {
  #pauses = 0;
  #running: Promise<unknown> = Promise.resolve();

  /** Runs the work, or skips it and returns nothing during a pause. */
  async run<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#pauses > 0) return undefined;
    const running = work();
    this.#running = running;
    return running;
  }

  /** Once it resolves, nothing runs until the returned function is called. */
  async pause(): Promise<() => void> {
    this.#pauses += 1;
    await this.#running.catch(() => {});
    let isOver = false;
    return () => {
      if (!isOver) this.#pauses -= 1;
      isOver = true;
    };
  }
}
