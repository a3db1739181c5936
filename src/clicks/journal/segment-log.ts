import { join } from "node:path";
import type { Clock } from "#kernel/clock.ts";
import { blockEncoder, type EncodedBlock } from "./block-encoder.ts";
import { seedOf } from "./journal-block.ts";
import { codeOf, type JournalFiles } from "./journal-files.ts";
import { formatSegmentName } from "./segment-name.ts";

/** A segment that this process writes, or has written and not closed yet. */
export interface OpenSegment {
  readonly fd: number;
  readonly seed: number;
  /** Everything before it is whole blocks. */
  offset: number;
  unsyncedClicks: number;
  isNameSynced: boolean;
  hasFailedToSync: boolean;
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
  /** Takes over a segment to which nothing will be added. */
  readonly retire: (segment: OpenSegment) => void;
}

// On a disk that fails in every segment, this bounds how many are begun.
const REST_MS = 100;

/** The segments of one process, one after the other; a segment is made when there is something to put into it. */
export function openSegmentLog(options: SegmentLogOptions) {
  const { directory, node, writer, epoch, segmentBytesMax, segmentAgeMsMax, files, clock, retire } = options;
  const encode = blockEncoder();
  let current: OpenSegment | undefined;
  let segments = 0;
  let nextSeq = 0;
  let bytes = 0;
  let ageTimer: ReturnType<typeof setTimeout> | undefined;
  let rest: { readonly until: number; readonly failure: WriteFailure } | undefined;

  /** Writes one block, or nothing of it and says why. Sequence numbers have no gaps: a lost block uses none. */
  function append(lines: string, clicks: number): WriteFailure | undefined {
    if (rest !== undefined && clock() < rest.until) return rest.failure;
    rest = undefined;
    if (current !== undefined && current.offset >= segmentBytesMax) seal();
    const before = current;
    const failure = tryAppend(lines, clicks);
    // The fault may lie in a segment that worked before and was left clean: then a new one is worth a try.
    const isWorthATry = failure?.isTakenBack === true && before !== undefined && current === undefined;
    const last = isWorthATry ? tryAppend(lines, clicks) : failure;
    if (last !== undefined && (current === undefined || last.reason !== "disk_full")) {
      rest = { until: clock() + REST_MS, failure: last };
    }
    return last;
  }

  function tryAppend(lines: string, clicks: number): (WriteFailure & { readonly isTakenBack: boolean }) | undefined {
    try {
      current ??= open();
    } catch (error) {
      return { reason: reasonOf(error), error, isTakenBack: false };
    }
    const segment = current;
    const block = encode(lines, segment.seed, { firstSeq: nextSeq, lines: clicks, offset: segment.offset });
    const error = writeWhole(segment, block);
    if (error === undefined) {
      segment.offset += block.length;
      bytes += block.length;
      segment.unsyncedClicks += clicks;
      nextSeq += clicks;
      return undefined;
    }
    const reason = reasonOf(error);
    // A block that cannot be taken back may be whole for all we know: writing it again could count it twice.
    const isTakenBack = takeBack(segment);
    if (!isTakenBack || (reason !== "disk_full" && segment.offset > 0)) leave();
    return { reason, error, isTakenBack };
  }

  function writeWhole({ fd, offset }: OpenSegment, { bytes: block, start, length }: EncodedBlock): unknown {
    try {
      for (let done = 0; done < length; ) {
        const written = files.write(fd, block, start + done, length - done, offset + done);
        if (written <= 0) return new Error("nothing was written");
        done += written;
      }
      return undefined;
    } catch (error) {
      return error;
    }
  }

  function takeBack({ fd, offset }: OpenSegment): boolean {
    try {
      files.truncate(fd, offset);
      return true;
    } catch {
      return false;
    }
  }

  /** A name that is taken, by files an operator brought back, is passed over: nothing is ever written over. */
  function open(): OpenSegment {
    for (;;) {
      const path = join(directory, formatSegmentName({ node, writer, epoch, segment: segments }));
      const fd = create(path);
      segments += 1;
      if (fd === undefined) continue;
      ageTimer = setTimeout(seal, segmentAgeMsMax);
      ageTimer.unref();
      return { fd, seed: seedOf(path), offset: 0, unsyncedClicks: 0, isNameSynced: false, hasFailedToSync: false };
    }
  }

  function create(path: string): number | undefined {
    try {
      return files.create(path);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      return undefined;
    }
  }

  /** Ends the segment with a block that says so; readers can do without it once the writer has gone on. */
  function seal(): void {
    if (current === undefined) return;
    const block = encode("", current.seed, { firstSeq: nextSeq, lines: 0, offset: current.offset });
    if (writeWhole(current, block) === undefined) current.offset += block.length;
    else takeBack(current);
    leave();
  }

  function leave(): void {
    clearTimeout(ageTimer);
    const segment = current;
    current = undefined;
    if (segment !== undefined) retire(segment);
  }

  return {
    append,
    seal,
    /** Goes on in a new segment, without a last word in one that is no longer trusted. */
    abandon(segment: OpenSegment): void {
      if (segment === current) leave();
    },
    current: () => current,
    segments: () => segments,
    bytes: () => bytes,
  };
}

const reasonOf = (error: unknown): WriteFailure["reason"] =>
  codeOf(error) === "ENOSPC" || codeOf(error) === "EDQUOT" ? "disk_full" : "write_failed";
