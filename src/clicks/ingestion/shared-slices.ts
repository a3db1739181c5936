import type { readSlice } from "#clicks/journal/journal-reader.ts";
import { emptySlice, type Slice } from "#clicks/journal/journal-slice.ts";
import type { TextsOf } from "#engines/clicks/click-format.ts";
import type { SegmentTexts } from "./segment-texts.ts";

type ReadPlainSlice = typeof readSlice;

/** A slice with the texts that its lines refer to. */
export interface TextSlice extends Slice {
  readonly textsOf: TextsOf;
}

export type ReadSlice = (...args: Parameters<ReadPlainSlice>) => Promise<TextSlice>;

interface Options {
  readonly readSlice: ReadPlainSlice;
  readonly texts: SegmentTexts;
  /** Called at most once for each segment. */
  readonly onUnreadable: (path: string, error: unknown) => void;
}

/**
 * For one turn. Consumers mostly are equally far: what the first has read and verified, the others get as it is. A segment
 * that cannot be read, be it for a moment or for good, keeps its place and holds up none of the others.
 */
export function shareSlices({ readSlice, texts, onUnreadable }: Options): ReadSlice {
  const slices = new Map<string, Promise<TextSlice>>();
  const unreadable = new Set<string>();
  const read: ReadSlice = async (segment, fromOffset, bytesMax) => {
    try {
      const slice = await readSlice(segment, fromOffset, bytesMax);
      return { ...slice, textsOf: slice.lines === 0 ? noTexts : await texts.of(segment, fromOffset, slice) };
    } catch (error) {
      if (!unreadable.has(segment.path)) onUnreadable(segment.path, error);
      unreadable.add(segment.path);
      return { ...emptySlice("not yet", fromOffset), textsOf: noTexts };
    }
  };
  return (segment, fromOffset, bytesMax) => {
    const key = `${segment.path} ${fromOffset} ${bytesMax}`;
    const slice = slices.get(key) ?? read(segment, fromOffset, bytesMax);
    slices.set(key, slice);
    return slice;
  };
}

const noTexts: TextsOf = () => undefined;
