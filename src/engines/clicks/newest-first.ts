import type { ClickListRequest, TimeRange } from "./clicks-engine.ts";

const FIRST_WINDOW_MS = 3_600_000;
const GROWTH = 8;

/**
 * Reads the newest clicks of a range from its end, in windows that grow: whoever has many clicks finds enough of them in
 * the first ones, and nobody's range has more than a few. `after` is left to the first window.
 */
export async function readNewestFirst<T>(
  { fromMs, toMs, after, limit }: Pick<ClickListRequest, "fromMs" | "toMs" | "after" | "limit">,
  read: (window: TimeRange & Pick<ClickListRequest, "after" | "limit">) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const found: T[] = [];
  let place = after;
  let end = after ? Math.min(toMs, after.atMs + 1) : toMs;
  for (let size = FIRST_WINDOW_MS; end > fromMs && found.length < limit; size *= GROWTH) {
    const start = Math.max(fromMs, end - size);
    found.push(...(await read({ fromMs: start, toMs: end, after: place, limit: limit - found.length })));
    place = null;
    end = start;
  }
  return found;
}
