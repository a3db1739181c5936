import type { readSlice } from "#clicks/journal/journal-reader.ts";
import { emptySlice, type Slice } from "#clicks/journal/journal-slice.ts";
import type { Segment } from "#clicks/journal/segments.ts";

export type ReadSlice = typeof readSlice;

interface Options {
  readonly readSlice: ReadSlice;
  /** Called at most once for each segment. */
  readonly onUnreadable: (path: string, error: unknown) => void;
}

/**
 * For one turn. Consumers mostly are equally far: what the first has read and verified, the others get as it is. A segment
 * that cannot be read, be it for a moment or for good, keeps its place and holds up none of the others.
 */
export function shareSlices({ readSlice, onUnreadable }: Options): ReadSlice {
  const slices = new Map<string, Promise<Slice>>();
  const unreadable = new Set<string>();
  const read = (segment: Pick<Segment, "path" | "isFinal">, fromOffset: number, bytesMax: number): Promise<Slice> =>
    readSlice(segment, fromOffset, bytesMax).catch((error: unknown) => {
      if (!unreadable.has(segment.path)) onUnreadable(segment.path, error);
      unreadable.add(segment.path);
      return emptySlice("not yet", fromOffset);
    });
  return (segment, fromOffset, bytesMax) => {
    const key = `${segment.path} ${fromOffset} ${bytesMax}`;
    const slice = slices.get(key) ?? read(segment, fromOffset, bytesMax);
    slices.set(key, slice);
    return slice;
  };
}
