import { readSlice } from "#clicks/journal/journal-reader.ts";
import type { Slice } from "#clicks/journal/journal-slice.ts";
import type { Segment } from "#clicks/journal/segments.ts";
import type { TextsOf } from "#engines/clicks/click-format.ts";

type SegmentFile = Pick<Segment, "path" | "isFinal">;

interface Known {
  readonly texts: Map<number, string>;
  /** All definitions before this offset are known. */
  upTo: number;
  /** Definitions are read for one slice at a time. */
  reading: Promise<void>;
}

const READ_BYTES = 1024 * 1024;
// Those of busy segments take megabytes; read again, they only cost time.
const SEGMENTS_MAX = 16;

/**
 * The texts that lines refer to, by segment. Usually slices come one after the other and define what is new; whoever starts
 * in the middle, for example after a restart, first collects what was defined before.
 */
export class SegmentTexts {
  readonly #segments = new Map<string, Known>();
  readonly #readSlice: typeof readSlice;

  /** Tests pass a reader that fails. */
  constructor(reader: typeof readSlice = readSlice) {
    this.#readSlice = reader;
  }

  get size(): number {
    return [...this.#segments.values()].reduce((sum, { texts }) => sum + texts.size, 0);
  }

  /** The texts for a slice that begins at this offset. Numbers whose definition is damaged are missing. */
  async of(segment: SegmentFile, fromOffset: number, { definitions, ownTexts, toOffset }: Slice): Promise<TextsOf> {
    const known = this.#find(segment.path);
    const reading = known.reading.then(() => this.#catchUp(known, segment, fromOffset));
    known.reading = reading.catch(() => {});
    await reading;
    for (const [no, texts] of definitions) known.texts.set(no, texts);
    known.upTo = Math.max(known.upTo, toOffset);
    return ownTexts.size === 0 ? (no) => known.texts.get(no) : (no) => ownTexts.get(no) ?? known.texts.get(no);
  }

  async #catchUp(known: Known, segment: SegmentFile, offset: number): Promise<void> {
    while (known.upTo < offset) {
      const bytes = Math.min(READ_BYTES, offset - known.upTo);
      const { definitions, toOffset } = await this.#readSlice(segment, known.upTo, bytes);
      // A file that was truncated or removed meanwhile has nothing more to say.
      if (toOffset <= known.upTo) return;
      for (const [no, texts] of definitions) known.texts.set(no, texts);
      known.upTo = toOffset;
    }
  }

  /** The least recently used one is forgotten. */
  #find(path: string): Known {
    const known = this.#segments.get(path) ?? { texts: new Map(), upTo: 0, reading: Promise.resolve() };
    this.#segments.delete(path);
    this.#segments.set(path, known);
    const [oldest] = this.#segments.keys();
    if (this.#segments.size > SEGMENTS_MAX && oldest !== undefined) this.#segments.delete(oldest);
    return known;
  }

  forget(path: string): void {
    this.#segments.delete(path);
  }
}
