import type { Definition } from "./definitions.ts";
import type { BlockLines } from "./segment-log.ts";

/** Clicks that go into one block. */
export interface Batch extends BlockLines {
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

interface FullBatch extends Batch {
  readonly bytes: number;
}

const encoder = new TextEncoder();
const answerNone = (): void => {};

/** Clicks that aren't in the journal yet, grouped into blocks. Usually those of one event loop iteration. */
export class WaitingClicks {
  readonly #options: WaitingOptions;
  /** Full blocks, which only exist while clicks arrive faster than the disk writes. */
  readonly #full: FullBatch[] = [];
  #fullBytes = 0;
  #fullClicks = 0;
  #lines = "";
  #lineCount = 0;
  #uses: Definition[] = [];
  #definitionChars = 0;
  #blockNo = 1;
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
    return this.#fullBytes + this.#lines.length + this.#definitionChars;
  }

  hasRoomFor(line: string): boolean {
    return this.bytes + line.length <= this.#options.bytesMax;
  }

  /** Returns the block's promise, or nothing if the answer doesn't wait for it. */
  add(line: string, uses: readonly Definition[], isEarly: boolean): Promise<void> | undefined {
    const isFull = this.#lines.length + this.#definitionChars + line.length > this.#options.charsMax;
    // Either all clicks of a block are answered before it is written, or none.
    if (this.#lineCount > 0 && (isFull || this.#isEarly !== isEarly)) this.#fill();
    this.#lines += line;
    this.#lineCount += 1;
    for (const definition of uses) {
      if (definition.blockNo === this.#blockNo) continue;
      definition.blockNo = this.#blockNo;
      this.#uses.push(definition);
      this.#definitionChars += definition.line.length;
    }
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
    this.#fullBytes -= full.bytes;
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
    const lines = encoder.encode(this.#lines);
    const bytes = lines.length + this.#definitionChars;
    const batch = { ...this.#cut(lines), bytes };
    this.#full.push(batch);
    this.#fullBytes += bytes;
    this.#fullClicks += batch.clicks;
  }

  #cut(lines: string | Uint8Array): Batch {
    const batch = {
      lines,
      clicks: this.#lineCount,
      uses: this.#uses,
      answer: this.#answer,
      isEarly: this.#isEarly,
    };
    this.#lines = "";
    this.#uses = [];
    this.#definitionChars = 0;
    this.#blockNo += 1;
    this.#lineCount = 0;
    this.#written = undefined;
    this.#answer = answerNone;
    this.#isEarly = false;
    return batch;
  }
}
