/** Work that comes up again and again, and that can be kept from happening for a while. */
export class Pausable {
  #pauses = 0;
  #running: Promise<void> = Promise.resolve();

  /** Does the work, or leaves it for a later time while there is a pause. */
  run(work: () => Promise<void>): Promise<void> {
    if (this.#pauses > 0) return Promise.resolve();
    this.#running = work();
    return this.#running;
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
