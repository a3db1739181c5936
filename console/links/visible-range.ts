import { type RefObject, useDeferredValue, useEffect, useState } from "react";

// Rows beyond the edges: enough that a key press or a flick meets rows that are there already.
const MARGIN_ROWS = 6;
// Moving in steps keeps most scroll events from drawing anything.
const STEP_ROWS = 3;

interface VisibleRange {
  readonly first: number;
  readonly end: number;
}

interface RangeOptions {
  readonly count: number;
  readonly rowHeight: number;
  /** The same as long as the list is, whatever happens to its links. */
  readonly listId: object;
}

const step = (row: number): number => Math.floor(row / STEP_ROWS) * STEP_ROWS;

/**
 * Which rows of a long list, all of one height, are near the screen; only these are drawn. Of another list, those on the
 * screen come first, and the margins when there is time.
 */
export function useVisibleRange(list: RefObject<HTMLElement | null>, options: RangeOptions): VisibleRange {
  const { count, rowHeight, listId } = options;
  const [seen, setSeen] = useState(() => ({ first: 0, end: step(innerHeight / rowHeight) + STEP_ROWS }));
  const margin = useDeferredValue<object | null>(listId, null) === listId ? MARGIN_ROWS : 0;
  useEffect(() => {
    let frame = 0;
    function measure(): void {
      frame = 0;
      if (!list.current) return;
      const { top } = list.current.getBoundingClientRect();
      const first = step(-top / rowHeight);
      const end = step((innerHeight - top) / rowHeight) + STEP_ROWS;
      setSeen((before) => (before.first === first && before.end === end ? before : { first, end }));
    }
    const measureSoon = () => {
      if (frame === 0) frame = requestAnimationFrame(measure);
    };
    measure();
    addEventListener("scroll", measureSoon, { passive: true });
    addEventListener("resize", measureSoon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", measureSoon);
      removeEventListener("resize", measureSoon);
    };
  }, [list, rowHeight]);
  const within = (row: number): number => Math.max(0, Math.min(row, count));
  return { first: within(seen.first - margin), end: within(seen.end + margin) };
}
