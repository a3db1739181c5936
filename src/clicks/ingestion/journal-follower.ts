import { basename } from "node:path";
import type { Segment } from "#clicks/journal/segments.ts";
import { BadClicks } from "#engines/clicks/clicks-engine.ts";
import type { JournalConsumer, SegmentSlice } from "./journal-consumer.ts";
import { type JournalLag, measureLag } from "./journal-lag.ts";
import type { ReadSlice } from "./shared-slices.ts";

// Small enough to leave the event loop within a few milliseconds, large enough for an engine to be quick.
const SLICE_BYTES = 256 * 1024;
const BATCH_BYTES = 4 * 1024 * 1024;
// Few lines have fewer than 40 bytes.
const SLICE_LINES = Math.ceil(SLICE_BYTES / 40);
// A consumer forgets many segments at once, which is cheaper for its engine than one at a time.
const DELETED_SEGMENTS_MAX = 100;

interface FollowerEvents {
  readonly onRefused: (segment: string, error: unknown) => void;
  /** Called once for a segment that the consumer has to its end. */
  readonly onEnded: (segment: Segment) => void;
}

/** Brings one consumer up to the end of the journal. */
export class JournalFollower {
  readonly #consumer: JournalConsumer;
  readonly #positions = new Map<string, number>();
  readonly #ended = new Set<string>();
  readonly #refused = new Set<string>();
  readonly #onRefused: FollowerEvents["onRefused"];
  readonly #onEnded: FollowerEvents["onEnded"];
  #clicks = 0;
  #isSettled = false;
  // A process that was killed may have deleted some and not come to it.
  #mayKnowDeleted = true;
  #deleted = 0;

  constructor(consumer: JournalConsumer, { onRefused, onEnded }: FollowerEvents) {
    this.#consumer = consumer;
    this.#onRefused = onRefused;
    this.#onEnded = onEnded;
  }

  get name(): string {
    return this.#consumer.name;
  }

  /** How many were handed over in this life of the process. */
  get clicks(): number {
    return this.#clicks;
  }

  lagBehind(segments: readonly Segment[]): Promise<JournalLag> {
    return measureLag(segments, (segment) => this.#positionOf(segment));
  }

  /** Passes on the next batch; returns whether there is more. */
  async advance(segments: readonly Segment[], readSlice: ReadSlice): Promise<boolean> {
    if (!this.#isSettled) await this.#consumer.settle?.();
    this.#isSettled = true;
    const slices: SegmentSlice[] = [];
    let batchBytes = 0;
    let batchLines = 0;
    let hasMore = false;
    // The slice that passes it still stays below what the consumer takes at a time.
    const linesEnough = Math.max(1, (this.#consumer.linesMax ?? Number.POSITIVE_INFINITY) - SLICE_LINES);
    for (const segment of segments) {
      const name = basename(segment.path);
      for (let offset = await this.#positionOf(name); !this.#ended.has(name) && !this.#refused.has(name); ) {
        if (batchBytes >= BATCH_BYTES || batchLines >= linesEnough) {
          hasMore = true;
          break;
        }
        const { payload, textsOf, lines, firstSeq, toOffset, state } = await readSlice(segment, offset, SLICE_BYTES);
        if (toOffset > offset) slices.push({ segment: name, payload, textsOf, lines, firstSeq, toOffset });
        batchBytes += payload.length;
        batchLines += lines;
        offset = toOffset;
        if (state === "not yet") break;
        if (state !== "more") {
          // Nothing behind the last slice: the segment has ended once that one is stored.
          if (toOffset === (await this.#positionOf(name))) {
            this.#ended.add(name);
            this.#onEnded(segment);
          } else hasMore = true;
          break;
        }
      }
    }
    if (slices.length > 0) {
      // Should it fail half-way, only the consumer knows how far it came.
      for (const { segment } of slices) this.#positions.delete(segment);
      this.#isSettled = false;
      if (this.#mayKnowDeleted || this.#deleted >= DELETED_SEGMENTS_MAX) await this.#forgetAllBut(segments);
      const taken = await this.#consume(slices);
      for (const { segment, lines, toOffset } of taken) {
        this.#positions.set(segment, toOffset);
        this.#clicks += lines;
      }
      if (taken.length < slices.length) return true;
      this.#isSettled = true;
    }
    return hasMore;
  }

  /** Returns what the consumer took. A segment that is refused keeps its place, and the others go on. */
  async #consume(slices: readonly SegmentSlice[]): Promise<readonly SegmentSlice[]> {
    try {
      await this.#consumer.consume(slices);
      return slices;
    } catch (error) {
      if (!(error instanceof BadClicks)) throw error;
      const segments = Map.groupBy(slices, ({ segment }) => segment);
      const [first = ""] = segments.keys();
      const refused = segments.size === 1 ? first : error.segment;
      if (segments.has(refused)) {
        this.#refused.add(refused);
        this.#onRefused(refused, error);
        return [];
      }
      // The engine can't tell which of them it is, so each goes by itself.
      const taken: SegmentSlice[] = [];
      for (const own of segments.values()) taken.push(...(await this.#consume(own)));
      return taken;
    }
  }

  /** Segments with clicks that the consumer doesn't take. Their clicks wait; a restart tries again. */
  get refused(): ReadonlySet<string> {
    return this.#refused;
  }

  hasPassed(segment: Segment): boolean {
    return this.#ended.has(basename(segment.path));
  }

  /** For segments that have just been deleted. */
  forget(segments: readonly Segment[]): void {
    this.#deleted += segments.length;
    for (const { path } of segments) {
      this.#positions.delete(basename(path));
      this.#ended.delete(basename(path));
    }
  }

  /** At the end: of what was deleted, the consumer keeps nothing. */
  async tidyUp(segments: readonly Segment[]): Promise<void> {
    if (this.#deleted > 0) await this.#forgetAllBut(segments);
  }

  async #forgetAllBut(segments: readonly Segment[]): Promise<void> {
    await this.#consumer.forgetAllBut(segments.map(({ path }) => basename(path)));
    this.#mayKnowDeleted = false;
    this.#deleted = 0;
  }

  async #positionOf(segment: string): Promise<number> {
    const known = this.#positions.get(segment);
    if (known !== undefined) return known;
    const position = await this.#consumer.positionOf(segment);
    this.#positions.set(segment, position);
    return position;
  }
}
