import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { classes } from "#console/ui/classes.ts";
import { formatCount } from "#console/ui/format.ts";
import { countTicks, spreadIndexes } from "./axis.ts";
import { ChartLines } from "./chart-lines.tsx";
import { formatTick } from "./dates.ts";
import type { Period } from "./report-query.ts";

export interface ChartPoint {
  readonly start: string;
  /** `null` where it is too old to tell. */
  readonly value: number | null;
}

interface SeriesChartProps {
  readonly label: string;
  readonly points: readonly ChartPoint[];
  readonly period: Period;
  /** When and how many, for the point under the pointer. */
  readonly describe: (index: number) => readonly [when: string, howMany: string];
  /** Shows one bucket as a report of its own. */
  readonly onOpen?: (index: number) => void;
}

const LABELS_MAX = 8;
/** In percent: further right, half a label would stand out of the picture. */
const LABEL_FITS_UNTIL = 96;
const PAGE = 7;

/** Drawn in percent of its box, so that it fits every width without being measured. */
export function SeriesChart({ label, points, period, describe, onOpen }: SeriesChartProps) {
  const [at, setAt] = useState<number | null>(null);
  const last = points.length - 1;
  const ticks = countTicks(Math.max(0, ...points.map(({ value }) => value ?? 0)));
  const top = ticks.at(-1) ?? 1;
  const xOf = (index: number): number => (last === 0 ? 50 : (index / last) * 100);
  const yOf = (value: number): number => 100 - (value / top) * 100;
  const chosen = at === null ? null : Math.min(at, last);

  function follow(event: PointerEvent<HTMLDivElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const ratio = Math.min(1, Math.max(0, (event.clientX - left) / width));
    setAt(Math.round(ratio * last));
  }

  function press(event: KeyboardEvent<HTMLDivElement>): void {
    const here = chosen ?? last;
    const goals: Readonly<Record<string, number>> = {
      ArrowLeft: here - 1,
      ArrowDown: here - 1,
      ArrowRight: here + 1,
      ArrowUp: here + 1,
      PageDown: here - PAGE,
      PageUp: here + PAGE,
      Home: 0,
      End: last,
    };
    const goal = goals[event.key];
    if (goal !== undefined) setAt(Math.min(last, Math.max(0, goal)));
    else if (event.key === "Enter") onOpen?.(here);
    else if (event.key === "Escape") setAt(null);
    else return;
    event.preventDefault();
  }

  const shown = chosen ?? last;
  return (
    <div className="flex h-72 gap-2 text-xs text-faint">
      <div className="relative mt-2 mb-7 w-9 shrink-0 text-right" aria-hidden>
        {ticks.map((tick) => (
          <span key={tick} className="absolute right-0 -translate-y-1/2" style={{ top: `${yOf(tick)}%` }}>
            {formatCount(tick)}
          </span>
        ))}
      </div>
      <div className="relative min-w-0 grow">
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, last)}
          aria-valuenow={Math.max(0, shown)}
          aria-valuetext={describe(shown).join(": ")}
          onPointerMove={follow}
          onPointerDown={follow}
          onPointerLeave={() => setAt(null)}
          onFocus={(event) => event.currentTarget.matches(":focus-visible") && setAt(last)}
          onBlur={() => setAt(null)}
          onKeyDown={press}
          onClick={() => chosen !== null && onOpen?.(chosen)}
          className={classes("absolute inset-x-0 top-2 bottom-7 touch-pan-y rounded-sm", onOpen && "cursor-pointer")}
        >
          <ChartLines points={points} ticks={ticks} period={period} xOf={xOf} yOf={yOf} />
          {chosen !== null && <Cursor point={points[chosen]} x={xOf(chosen)} yOf={yOf} words={describe(chosen)} />}
        </div>
        <div className="absolute inset-x-0 bottom-0 h-5" aria-hidden>
          {spreadIndexes(points.length, LABELS_MAX).map((index, place) => (
            <span
              key={index}
              style={{ left: `${xOf(index)}%` }}
              className={classes(
                "absolute whitespace-nowrap",
                xOf(index) > LABEL_FITS_UNTIL ? "-translate-x-full" : "-translate-x-1/2",
                place % 2 === 1 && "max-sm:hidden",
              )}
            >
              {formatTick(points[index]?.start ?? period.from, period.granularity, period.timezone)}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

interface CursorProps {
  readonly point: ChartPoint | undefined;
  readonly x: number;
  readonly yOf: (value: number) => number;
  readonly words: readonly [string, string];
}

/** Where the pointer or the arrow keys are, and what is there. */
function Cursor({ point, x, yOf, words: [when, howMany] }: CursorProps) {
  return (
    <>
      <span className="pointer-events-none absolute inset-y-0 w-px bg-line-strong" style={{ left: `${x}%` }} />
      {point && point.value !== null && (
        <span
          className="pointer-events-none absolute size-2.5 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-card bg-accent"
          style={{ left: `${x}%`, top: `${yOf(point.value)}%` }}
        />
      )}
      <div
        className="pointer-events-none absolute -top-1 z-10 rounded-lg border border-line bg-card px-3 py-2 text-sm whitespace-nowrap text-text shadow-float"
        style={x > 50 ? { right: `calc(${100 - x}% + 0.75rem)` } : { left: `calc(${x}% + 0.75rem)` }}
      >
        <span className="block text-xs text-soft">{when}</span>
        <span className="font-semibold">{howMany}</span>
      </div>
    </>
  );
}
