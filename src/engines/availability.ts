/** Reports when the server stops answering and when it answers again, not each failure in between. */
export class Availability {
  #isUp = true;
  readonly #onChange: (isUp: boolean, problem: string | null) => void;

  constructor(onChange: (isUp: boolean, problem: string | null) => void) {
    this.#onChange = onChange;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** `null` if the server answered. */
  note(problem: string | null): void {
    const isUp = problem === null;
    if (isUp === this.#isUp) return;
    this.#isUp = isUp;
    this.#onChange(isUp, problem);
  }
}
