interface Kept<T> {
  readonly answer: Promise<T>;
  readonly at: number;
}

interface Options {
  readonly keptMs: number;
  readonly most: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Answers a question that was asked a moment ago, or is being answered, without asking again. Failures aren't kept. */
export class RecentAnswers<T> {
  readonly #kept = new Map<string, Kept<T>>();
  readonly #options: Required<Options>;

  constructor(options: Options) {
    this.#options = { now: () => performance.now(), ...options };
  }

  get(question: string, ask: () => Promise<T>): Promise<T> {
    const { keptMs, now } = this.#options;
    const known = this.#kept.get(question);
    if (known && now() - known.at < keptMs) return known.answer;
    const kept = { answer: ask(), at: now() };
    this.#kept.delete(question);
    this.#kept.set(question, kept);
    this.#dropOldest();
    kept.answer.catch(() => {
      if (this.#kept.get(question) === kept) this.#kept.delete(question);
    });
    return kept.answer;
  }

  #dropOldest(): void {
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#options.most && oldest !== undefined) this.#kept.delete(oldest);
  }
}
