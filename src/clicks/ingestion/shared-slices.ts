import { readSlice } from "#clicks/journal/journal-reader.ts";
import type { Slice } from "#clicks/journal/journal-slice.ts";

export type ReadSlice = typeof readSlice;

/** For one turn. Consumers mostly are equally far: what the first has read and verified, the others get as it is. */
export function shareSlices(): ReadSlice {
  const slices = new Map<string, Promise<Slice>>();
  return (segment, fromOffset, bytesMax) => {
    const key = `${segment.path} ${fromOffset} ${bytesMax}`;
    const slice = slices.get(key) ?? readSlice(segment, fromOffset, bytesMax);
    slices.set(key, slice);
    return slice;
  };
}
