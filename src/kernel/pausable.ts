/** Work that comes up again and again, and that can be kept from happening for a while. */
export class Pausable {
  #pauses = 0;
  #running: Promise<unknown> = Promise.resolve();

  /** Does the work, or leaves it for a later time while there is a pause, and then returns nothing. */
  async run<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#pauses > 0) return undefined;
    const running = work();
    this.#running = running;
    return running;
  }

  /** When it resolves, nothing is under way and nothing begins before the function it returns was called. */
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
