/** Clicks that go into one block. */
export interface Batch {
  readonly lines: string | Uint8Array;
  readonly clicks: number;
  /** Lets the answers of those go that wait; to be called once. */
  readonly answer: () => void;
  /** Its answers left before it was written. */
  isEarly: boolean;
}

export interface WaitingOptions {
  /** Of one block. */
  readonly charsMax: number;
  /** Of all that waits. */
  readonly bytesMax: number;
}

const encoder = new TextEncoder();
const answerNone = (): void => {};

/** The clicks that the journal has not taken yet, in blocks to be. Usually those of one turn of the event loop. */
export class WaitingClicks {
  readonly #options: WaitingOptions;
  /** Full blocks, of which there are some only while the disk is slower than the clicks. */
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

  /** As far as they are known: some characters take more than one byte. */
  get bytes(): number {
    return this.#fullBytes + this.#lines.length;
  }

  hasRoomFor(line: string): boolean {
    return this.bytes + line.length <= this.#options.bytesMax;
  }

  /** The promise is that of the block; nothing where the answer does not wait for it. */
  add(line: string, isEarly: boolean): Promise<void> | undefined {
    const isFull = this.#lines.length + line.length > this.#options.charsMax;
    // Of one block either all clicks are answered before it is written, or none.
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

  /** The next block. The last one holds all that came until now. */
  take(): Batch | undefined {
    const full = this.#full.shift();
    if (full === undefined) return this.#lineCount === 0 ? undefined : this.#cut(this.#lines);
    this.#fullBytes -= full.lines.length;
    this.#fullClicks -= full.clicks;
    return full;
  }

  /** Lets all answers go; returns how many clicks nobody waits for any more. */
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

  /** Text is built of many small pieces; as bytes it takes the memory that it is long. */
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
