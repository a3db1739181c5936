import { RecordsUnavailable } from "#engines/records/records.ts";
import type { RedirectReader } from "#engines/records/redirect-reader.ts";
import { reasonOf } from "#kernel/error-text.ts";

export interface AnswerTimes {
  /** How long the records may take to answer before they count as away. */
  readonly answerMsMax?: number;
  /** The same for the first answer, which needs a connection. */
  readonly firstAnswerMsMax?: number;
  /** How long they count as away before they are asked again. */
  readonly awayMs?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

// Less than what makes look-ups fail without asking.
const ANSWER_MS_MAX = 700;
const FIRST_ANSWER_MS_MAX = 4500;
// Answers that already wait in the socket are read first.
const GRACE_MS = 20;
const AWAY_MS = 500;
// A single one may just have met a page that isn't in memory, or a lock.
const FAILURES_IN_A_ROW = 2;

/** Asks the records, waits for no answer longer than visitors can, and knows whether there was one. */
export class RecordsInTime {
  readonly #records: RedirectReader;
  readonly #answerMsMax: number;
  readonly #firstAnswerMsMax: number;
  readonly #awayMs: number;
  readonly #now: () => number;
  readonly #onBack: () => void;
  /** Whether they have neither answered nor failed yet. */
  #isOpening = true;
  /** Whether the last answer was none. */
  #isAway = false;
  #failures = 0;
  /** Until then nothing is asked, after several failures in a row. */
  #awayUntil = Number.NEGATIVE_INFINITY;
  #problem = "";
  #probing: Promise<unknown> | undefined;

  /** `onBack` is called with the first answer, and with the first after they were away. */
  constructor(records: RedirectReader, times: AnswerTimes, onBack: () => void) {
    this.#records = records;
    this.#answerMsMax = times.answerMsMax ?? ANSWER_MS_MAX;
    this.#firstAnswerMsMax = times.firstAnswerMsMax ?? FIRST_ANSWER_MS_MAX;
    this.#awayMs = times.awayMs ?? AWAY_MS;
    this.#now = times.now ?? (() => performance.now());
    this.#onBack = onBack;
  }

  get isOpening(): boolean {
    return this.#isOpening;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  get failure(): RecordsUnavailable {
    return new RecordsUnavailable(this.#problem);
  }

  async ask<T>(question: (records: RedirectReader) => Promise<T>): Promise<T> {
    if (this.#now() < this.#awayUntil) throw this.failure;
    try {
      const answer = await within(
        this.#isOpening ? this.#firstAnswerMsMax : this.#answerMsMax,
        question(this.#records),
      );
      if (this.#isAway || this.#isOpening) this.#onBack();
      this.#isAway = false;
      this.#failures = 0;
      return answer;
    } catch (error) {
      this.#failures += 1;
      if (this.#failures >= FAILURES_IN_A_ROW) this.#awayUntil = this.#now() + this.#awayMs;
      this.#noteAway(error);
      throw error;
    } finally {
      this.#isOpening = false;
    }
  }

  /** For what is asked while the first connection is made, if it can be answered otherwise. */
  async soon<T>(answer: Promise<T>): Promise<T> {
    try {
      return await within(this.#answerMsMax, answer);
    } catch (error) {
      this.#noteAway(error);
      throw error;
    }
  }

  /** Finds out whether they are back. */
  probe(): void {
    this.#probing ??= this.ask((records) => records.lastSeq())
      .catch(() => {})
      .finally(() => {
        this.#probing = undefined;
      });
  }

  #noteAway(error: unknown): void {
    this.#isAway = true;
    this.#problem = reasonOf(error);
  }
}

/**
 * A late timer says that this process was busy, not that the records are away: it may not even have asked them, or their
 * answer waits to be read.
 */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const giveUp = (): void => late.reject(new RecordsUnavailable("the records don't answer"));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    const dueAt = performance.now() + ms;
    timer = setTimeout(() => {
      if (performance.now() - dueAt > ms / 2) look();
      else timer = setTimeout(giveUp, GRACE_MS);
    }, ms);
  };
  look();
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
