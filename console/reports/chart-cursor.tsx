/** One figure and the time it is about, in words. */
export interface ChartFigure {
  readonly when: string;
  readonly howMany: string;
}

export interface ChartWords extends ChartFigure {
  /** The same in the period before. */
  readonly earlier?: ChartFigure;
  /** What happened then, as "Paused". */
  readonly events?: readonly string[];
}

interface ChartCursorProps {
  readonly x: number;
  /** In percent from the top; `null` where it is unknown. */
  readonly y: number | null;
  readonly earlierY: number | null;
  readonly words: ChartWords;
}

const dot = "pointer-events-none absolute -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-card";

/** Where the pointer or the arrow keys are, and what is there. */
export const ChartCursor = ({ x, y, earlierY, words: { when, howMany, earlier, events } }: ChartCursorProps) => (
  <>
    <span className="pointer-events-none absolute inset-y-0 w-px bg-line-strong" style={{ left: `${x}%` }} />
    {earlierY !== null && (
      <span className={`${dot} size-2.5 bg-faint/60`} style={{ left: `${x}%`, top: `${earlierY}%` }} />
    )}
    {y !== null && <span className={`${dot} size-3 bg-accent`} style={{ left: `${x}%`, top: `${y}%` }} />}
    <div
      className="pointer-events-none absolute -top-1 z-10 max-w-56 rounded-lg border border-line bg-card px-3 py-2 text-sm text-text shadow-float sm:max-w-none sm:whitespace-nowrap"
      style={x > 50 ? { right: `calc(${100 - x}% + 0.75rem)` } : { left: `calc(${x}% + 0.75rem)` }}
      data-tooltip
    >
      <Figure when={when} howMany={howMany} isNow />
      {earlier && <Figure {...earlier} />}
      {events?.map((text) => (
        <span key={text} className="mt-1.5 flex items-center gap-2 text-xs">
          <span className="size-2 shrink-0 rotate-45 bg-warn" />
          {text}
        </span>
      ))}
    </div>
  </>
);

const Figure = ({ when, howMany, isNow = false }: ChartFigure & { readonly isNow?: boolean }) => (
  <span className="flex items-start gap-2 not-first:mt-1.5">
    <span className={`mt-1.5 size-2 shrink-0 rounded-full ${isNow ? "bg-accent" : "bg-faint/60"}`} />
    <span>
      <span className={isNow ? "block font-semibold" : "block"}>{howMany}</span>
      <span className="block text-xs text-soft">{when}</span>
    </span>
  </span>
);
