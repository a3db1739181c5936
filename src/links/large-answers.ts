interface Kept<T> {
  readonly answer: T;
  readonly until: number;
}

/** Of an account. */
interface Answers<T> {
  readonly kept: Map<string, Kept<T>>;
  readonly running: Map<string, Promise<T>>;
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

/** Keeps answers that are expensive to compute for a moment, by account and question; such an answer is computed once at a time. */
export class LargeAnswers<T> {
  readonly #options: Options<T>;
  readonly #now: () => number;
  readonly #accounts = new Map<number, Answers<T>>();

  constructor(options: Options<T>) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  async find(accountNo: number, question: string, answer: () => Promise<T>): Promise<T> {
    // What is forgotten while it is computed is neither kept nor shared.
    const answers = this.#answersOf(accountNo);
    const kept = answers.kept.get(question);
    if (kept !== undefined && kept.until > this.#now()) return kept.answer;
    const running = answers.running.get(question);
    if (running === undefined) return this.#compute(answers, question, answer);
    const found = await running;
    // A small one must be exact, and this may be older than what the caller has just written.
    return this.#options.isLarge(found) ? found : answer();
  }

  async #compute({ kept, running }: Answers<T>, question: string, answer: () => Promise<T>): Promise<T> {
    const computing = answer();
    running.set(question, computing);
    try {
      const found = await computing;
      const { isLarge, keptMs } = this.#options;
      if (!isLarge(found)) return found;
      if (kept.size >= ANSWERS_MAX) kept.clear();
      kept.set(question, { answer: found, until: this.#now() + keptMs });
      return found;
    } finally {
      running.delete(question);
    }
  }

  forget(accountNo: number): void {
    this.#accounts.delete(accountNo);
  }

  #answersOf(accountNo: number): Answers<T> {
    const known = this.#accounts.get(accountNo) ?? { kept: new Map(), running: new Map() };
    // Those that were asked last come last.
    this.#accounts.delete(accountNo);
    this.#accounts.set(accountNo, known);
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size > ACCOUNTS_MAX && oldest !== undefined) this.#accounts.delete(oldest);
    return known;
  }
}
