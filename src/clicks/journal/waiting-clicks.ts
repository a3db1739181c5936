/** Clicks that go into one block. */
export interface Batch {
  readonly lines: string | Uint8Array;
  readonly clicks: number;
  /** Releases the waiting answers; call once. */
  readonly answer: () => void;
  /** Its answers were sent before it was written. */
  isEarly: boolean;
}

export interface WaitingOptions {
  /** The limit of one block. */
  readonly charsMax: number;
  /** The limit for all waiting clicks. */
  readonly bytesMax: number;
}

const encoder = new TextEncoder();
const answerNone = (): void => {};

/** Clicks that aren't in the journal yet, grouped into blocks. Usually those of one event loop iteration. */
export class WaitingClicks {
  readonly #options: WaitingOptions;
  /** Full blocks, which only exist while clicks arrive faster than the disk writes. */
  readonly #full: Batch[] = [];
  #fullBytes = 0;
  #fullClicks = 0;
  #lines = "";
  #lineCount = 0;
  #written: Promise<void> | undefined;
  #answer = answerNone;
  #isEarly = false;

  constructor(options: WaitingOptions) {
    this.#options = options;
  }

  get clicks(): number {
    return this.#fullClicks + this.#lineCount;
  }

  /** An estimate: some characters take more than one byte. */
  get bytes(): number {
    return this.#fullBytes + this.#lines.length;
  }

  hasRoomFor(line: string): boolean {
    return this.bytes + line.length <= this.#options.bytesMax;
  }

  /** Returns the block's promise, or nothing if the answer doesn't wait for it. */
  add(line: string, isEarly: boolean): Promise<void> | undefined {
    const isFull = this.#lines.length + line.length > this.#options.charsMax;
    // Either all clicks of a block are answered before it is written, or none.
    if (this.#lineCount > 0 && (isFull || this.#isEarly !== isEarly)) this.#fill();
    this.#lines += line;
    this.#lineCount += 1;
    this.#isEarly = isEarly;
    if (isEarly) return undefined;
    this.#written ??= new Promise((resolve) => {
      this.#answer = resolve;
    });
    return this.#written;
  }

  /** The next block. The last one contains everything until now. */
  take(): Batch | undefined {
    const full = this.#full.shift();
    if (full === undefined) return this.#lineCount === 0 ? undefined : this.#cut(this.#lines);
    this.#fullBytes -= full.lines.length;
    this.#fullClicks -= full.clicks;
    return full;
  }

  /** Releases all answers; returns how many clicks that were. */
  release(): number {
    let released = 0;
    for (const batch of this.#full) {
      if (batch.isEarly) continue;
      batch.isEarly = true;
      released += batch.clicks;
      batch.answer();
    }
    if (this.#lineCount === 0 || this.#isEarly) return released;
    this.#isEarly = true;
    this.#answer();
    this.#answer = answerNone;
    this.#written = undefined;
    return released + this.#lineCount;
  }

  get isLast(): boolean {
    return this.#full.length === 0;
  }

  /** The text is a rope of many small strings; encoded, it only uses as much memory as it is long. */
  #fill(): void {
    const batch = this.#cut(encoder.encode(this.#lines));
    this.#full.push(batch);
    this.#fullBytes += batch.lines.length;
    this.#fullClicks += batch.clicks;
  }

  #cut(lines: string | Uint8Array): Batch {
    const batch = { lines, clicks: this.#lineCount, answer: this.#answer, isEarly: this.#isEarly };
    this.#lines = "";
    this.#lineCount = 0;
    this.#written = undefined;
    this.#answer = answerNone;
    this.#isEarly = false;
    return batch;
  }
}
