import { join } from "node:path";
import type { Clock } from "#kernel/clock.ts";
import { codeOf } from "#kernel/error-codes.ts";
import { blockEncoder, type EncodedBlock } from "./block-encoder.ts";
import type { Definition } from "./definitions.ts";
import { seedOf } from "./journal-block.ts";
import type { JournalFiles } from "./journal-files.ts";
import { formatSegmentName } from "./segment-name.ts";
import { keepSpareFile } from "./spare-file.ts";

/** A segment that this process writes, or has written but not closed yet. */
export interface OpenSegment {
  readonly fd: number;
  readonly seed: number;
  /** Only whole blocks precede it. */
  offset: number;
  unsyncedClicks: number;
  isNameSynced: boolean;
  hasFailedToSync: boolean;
  /** The numbers of the texts it defines. */
  readonly defined: Set<number>;
}

/** What goes into one block. */
export interface BlockLines {
  readonly lines: string | Uint8Array;
  readonly clicks: number;
  /** The texts that the lines refer to. */
  readonly uses: readonly Definition[];
}

export interface WriteFailure {
  readonly reason: "disk_full" | "write_failed";
  readonly error: unknown;
}

export interface SegmentLogOptions {
  readonly directory: string;
  readonly node: string;
  readonly writer: number;
  readonly epoch: number;
  readonly segmentBytesMax: number;
  readonly segmentAgeMsMax: number;
  readonly files: JournalFiles;
  readonly clock: Clock;
  /** Takes over a segment that is complete. */
  readonly retire: (segment: OpenSegment) => void;
  /** The segment is old: call `endDue` as soon as nothing else is in progress. */
  readonly onDue?: () => void;
}

// Limits how many segments are started on a disk where every write fails.
const REST_MS = 100;
// While no next file can be opened.
const DUE_AGAIN_MS = 1000;

/**
 * The segments of one process, one after the other; a segment is created when there is something to write. Callers must
 * wait for one call to end before the next.
 */
export function openSegmentLog(options: SegmentLogOptions) {
  const { directory, node, writer, epoch, segmentBytesMax, segmentAgeMsMax, files, clock, retire } = options;
  const encode = blockEncoder();
  const spare = keepSpareFile({ directory, node, writer, epoch, files, clock });
  let current: OpenSegment | undefined;
  let isBusy = false;
  let isAbandoned = false;
  let isDue = false;
  let segments = 0;
  let nextSeq = 0;
  let bytes = 0;
  let ageTimer: ReturnType<typeof setTimeout> | undefined;
  let rest: { readonly until: number; readonly failure: WriteFailure } | undefined;

  /** Writes one block, or nothing and returns why. Sequence numbers have no gaps: a lost block uses none. */
  async function append(batch: BlockLines): Promise<WriteFailure | undefined> {
    if (rest !== undefined && clock() < rest.until) return rest.failure;
    rest = undefined;
    if (current !== undefined && (current.offset >= segmentBytesMax || isDue)) await end();
    const before = current;
    const failure = await tryAppend(batch);
    // The problem may be specific to the old segment. If it was left clean, a new one is worth a try.
    const isWorthRetry = failure?.isRemoved === true && before !== undefined && current === undefined;
    const last = isWorthRetry ? await tryAppend(batch) : failure;
    if (last !== undefined && (current === undefined || last.reason !== "disk_full")) {
      rest = { until: clock() + REST_MS, failure: last };
    }
    return last;
  }

  async function tryAppend({
    lines,
    clicks,
    uses,
  }: BlockLines): Promise<(WriteFailure & { readonly isRemoved: boolean }) | undefined> {
    if (isAbandoned) leave();
    try {
      current ??= await open();
    } catch (error) {
      return { reason: reasonOf(error), error, isRemoved: false };
    }
    const segment = current;
    // Each segment can be read by itself.
    const fresh = uses.filter(({ no }) => !segment.defined.has(no));
    const definitions = fresh.map(({ line }) => line).join("");
    const fields = { firstSeq: nextSeq, lines: clicks, offset: segment.offset };
    const block = encode({ definitions, lines }, segment.seed, fields);
    const error = await writeWhole(segment, block);
    if (error === undefined) {
      segment.offset += block.length;
      bytes += block.length;
      segment.unsyncedClicks += clicks;
      nextSeq += clicks;
      for (const { no } of fresh) segment.defined.add(no);
      return undefined;
    }
    const reason = reasonOf(error);
    // A block that can't be removed may be complete, and writing it again could count it twice.
    const isRemoved = await removePartial(segment);
    if (!isRemoved || (reason !== "disk_full" && segment.offset > 0)) leave();
    return { reason, error, isRemoved };
  }

  async function writeWhole({ fd, offset }: OpenSegment, { bytes: block, start, length }: EncodedBlock) {
    try {
      for (let done = 0; done < length; ) {
        const written = await files.write(fd, block, start + done, length - done, offset + done);
        if (written <= 0) return new Error("nothing was written");
        done += written;
      }
      return undefined;
    } catch (error) {
      return error;
    }
  }

  const removePartial = ({ fd, offset }: OpenSegment): Promise<boolean> =>
    files.truncate(fd, offset).then(
      () => true,
      () => false,
    );

  /** Skips names that exist, for example from files an operator restored: nothing is ever overwritten. */
  async function open(): Promise<OpenSegment> {
    for (;;) {
      const path = join(directory, formatSegmentName({ node, writer, epoch, segment: segments }));
      const fd = await claim(path);
      segments += 1;
      if (fd === undefined) continue;
      age(segmentAgeMsMax);
      // Opens the next file before it is needed.
      void spare.ready();
      const state = { offset: 0, unsyncedClicks: 0, isNameSynced: false, hasFailedToSync: false };
      return { fd, seed: seedOf(path), ...state, defined: new Set() };
    }
  }

  async function claim(path: string): Promise<number | undefined> {
    try {
      return (await spare.take(path)) ?? (await files.create(path));
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      return undefined;
    }
  }

  function age(ms: number): void {
    clearTimeout(ageTimer);
    ageTimer = setTimeout(() => {
      isDue = true;
      options.onDue?.();
    }, ms);
    ageTimer.unref();
  }

  /** Ends a segment that is full or old once there is a file for the next; until then it keeps growing. */
  async function end(): Promise<void> {
    isDue = false;
    if (await spare.ready()) await seal();
    else age(DUE_AGAIN_MS);
  }

  /** Ends the segment with an end block, which readers don't need once the writer has moved on. */
  async function seal(): Promise<void> {
    if (isAbandoned) leave();
    if (current === undefined) return;
    const fields = { firstSeq: nextSeq, lines: 0, offset: current.offset };
    const block = encode({ definitions: "", lines: "" }, current.seed, fields);
    if ((await writeWhole(current, block)) === undefined) current.offset += block.length;
    else await removePartial(current);
    leave();
  }

  function leave(): void {
    clearTimeout(ageTimer);
    isDue = false;
    isAbandoned = false;
    const segment = current;
    current = undefined;
    if (segment !== undefined) retire(segment);
  }

  /** Keeps a segment from being retired while something is written to it. */
  async function run<T>(action: () => Promise<T>): Promise<T> {
    isBusy = true;
    try {
      return await action();
    } finally {
      isBusy = false;
      if (isAbandoned) leave();
    }
  }

  return {
    append: (batch: BlockLines) => run(() => append(batch)),
    seal: () => run(seal),
    /** Ends the segment if it is old. */
    endDue: () => run(async () => (isDue && current !== undefined ? end() : undefined)),
    /** Opens the first segment's file in advance. */
    async prepare(): Promise<void> {
      await spare.ready();
      await spare.clearUp();
    },
    /** Continues in a new segment, without an end block in the one that is no longer trusted. */
    abandon(segment: OpenSegment): void {
      if (segment !== current) return;
      if (isBusy) isAbandoned = true;
      else leave();
    },
    /** Removes the spare file after the last segment. */
    close: spare.drop,
    current: () => current,
    segments: () => segments,
    bytes: () => bytes,
  };
}

const reasonOf = (error: unknown): WriteFailure["reason"] =>
  codeOf(error) === "ENOSPC" || codeOf(error) === "EDQUOT" ? "disk_full" : "write_failed";
