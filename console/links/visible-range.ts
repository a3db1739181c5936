import { type RefObject, useEffect, useState } from "react";

// Rows beyond the edges: enough that a key press or a flick meets rows that are there already.
const MARGIN_ROWS = 6;
// Moving in steps keeps most scroll events from drawing anything.
const STEP_ROWS = 3;

interface VisibleRange {
  readonly first: number;
  readonly end: number;
}

/** Which rows of a long list, all of one height, are near the screen; only these are drawn. */
export function useVisibleRange(
  list: RefObject<HTMLElement | null>,
  { count, rowHeight }: { readonly count: number; readonly rowHeight: number },
): VisibleRange {
  const [seen, setSeen] = useState({ first: 0, end: 15 });
  useEffect(() => {
    let frame = 0;
    function measure(): void {
      frame = 0;
      if (!list.current) return;
      const { top } = list.current.getBoundingClientRect();
      const step = (row: number) => Math.floor(row / STEP_ROWS) * STEP_ROWS;
      const first = step(-top / rowHeight - MARGIN_ROWS);
      const end = step((innerHeight - top) / rowHeight + MARGIN_ROWS) + STEP_ROWS;
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
  return { first: Math.max(0, Math.min(seen.first, count)), end: Math.max(0, Math.min(seen.end, count)) };
}
