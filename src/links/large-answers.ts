interface Kept<T> {
  readonly answer: T;
  readonly until: number;
}

const ACCOUNTS_MAX = 100;
const ANSWERS_MAX = 20;

interface Options<T> {
  /** Others are never kept, so that they are always exact. */
  readonly isLarge: (answer: T) => boolean;
  readonly keptMs: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Keeps answers that are expensive to compute for a moment, by account and question. */
export class LargeAnswers<T> {
  readonly #options: Options<T>;
  readonly #now: () => number;
  readonly #accounts = new Map<number, Map<string, Kept<T>>>();

  constructor(options: Options<T>) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  async find(accountNo: number, question: string, answer: () => Promise<T>): Promise<T> {
    const kept = this.#accounts.get(accountNo)?.get(question);
    if (kept !== undefined && kept.until > this.#now()) return kept.answer;
    // What is forgotten while it is computed isn't kept.
    const answers = this.#answersOf(accountNo);
    const found = await answer();
    const { isLarge, keptMs } = this.#options;
    if (!isLarge(found)) return found;
    if (answers.size >= ANSWERS_MAX) answers.clear();
    answers.set(question, { answer: found, until: this.#now() + keptMs });
    return found;
  }

  forget(accountNo: number): void {
    this.#accounts.delete(accountNo);
  }

  #answersOf(accountNo: number): Map<string, Kept<T>> {
    const known = this.#accounts.get(accountNo) ?? new Map<string, Kept<T>>();
    // Those that were asked last come last.
    this.#accounts.delete(accountNo);
    this.#accounts.set(accountNo, known);
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size > ACCOUNTS_MAX && oldest !== undefined) this.#accounts.delete(oldest);
    return known;
  }
}
