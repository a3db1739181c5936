import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { classes } from "#console/ui/classes.ts";
import { formatCount } from "#console/ui/format.ts";
import { countTicks, spreadIndexes } from "./axis.ts";
import { ChartCursor, type ChartWords } from "./chart-cursor.tsx";
import { ChartLines } from "./chart-lines.tsx";
import { formatTick } from "./dates.ts";
import type { Progress } from "./progress.ts";
import type { Period } from "./report-query.ts";

export interface ChartPoint {
  readonly start: string;
  /** `null` where it is unknown. */
  readonly value: number | null;
}

interface SeriesChartProps {
  readonly label: string;
  readonly points: readonly ChartPoint[];
  /** The same figure in the period before, bucket by bucket. */
  readonly earlier: readonly (number | null)[];
  readonly period: Period;
  readonly progress: Progress;
  /** Buckets in which something happened. */
  readonly noted: readonly number[];
  /** When and how many, for the point under the pointer. */
  readonly describe: (index: number) => ChartWords;
  /** Shows one bucket as a report of its own. */
  readonly onOpen?: (index: number) => void;
}

const LABELS_MAX = 8;
/** In percent: further right, half a label would stand out of the picture. */
const LABEL_FITS_UNTIL = 96;
const PAGE = 7;

/** Drawn in percent of its box, so that it fits every width without being measured. */
export function SeriesChart({ label, points, earlier, period, progress, noted, describe, onOpen }: SeriesChartProps) {
  const [at, setAt] = useState<number | null>(null);
  const end = points.length - 1;
  const last = Math.max(0, progress.last);
  const shownEarlier = earlier.slice(0, points.length);
  const greatest = Math.max(0, ...points.map(({ value }) => value ?? 0), ...shownEarlier.map((n) => n ?? 0));
  // Without a figure there is no line to draw and nothing to measure it by: only the days are left.
  const isEmpty = greatest === 0;
  const ticks = isEmpty ? [0] : countTicks(greatest);
  const top = ticks.at(-1) || 1;
  const xOf = (index: number): number => (end === 0 ? 50 : (index / end) * 100);
  const yOf = (value: number): number => 100 - (value / top) * 100;
  const heightOf = (value: number | null | undefined): number | null => (value == null ? null : yOf(value));
  const chosen = at === null ? null : Math.min(at, last);

  function follow(event: PointerEvent<HTMLDivElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const ratio = Math.min(1, Math.max(0, (event.clientX - left) / width));
    setAt(Math.round(ratio * end));
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
  const openValue = progress.isOpen && !isEmpty ? heightOf(points[progress.last]?.value) : null;
  return (
    <div className={classes("flex gap-2 text-xs text-faint", isEmpty ? "h-40" : "h-72")}>
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
          aria-valuemax={last}
          aria-valuenow={shown}
          aria-valuetext={speak(describe(shown))}
          onPointerMove={follow}
          onPointerDown={follow}
          onPointerLeave={() => setAt(null)}
          onFocus={(event) => event.currentTarget.matches(":focus-visible") && setAt(last)}
          onBlur={() => setAt(null)}
          onKeyDown={press}
          onClick={() => chosen !== null && onOpen?.(chosen)}
          className={classes("absolute inset-x-0 top-2 bottom-7 touch-pan-y rounded-sm", onOpen && "cursor-pointer")}
        >
          <ChartLines
            values={isEmpty ? [] : points.map(({ value }) => value)}
            earlier={isEmpty ? [] : earlier}
            ticks={ticks}
            progress={progress}
            xOf={xOf}
            yOf={yOf}
          />
          {noted.map((index) => (
            <span
              key={index}
              className="pointer-events-none absolute top-full size-2 -translate-x-1/2 -translate-y-1/2 rotate-45 bg-warn ring-2 ring-card"
              style={{ left: `${xOf(index)}%` }}
              data-annotation
            />
          ))}
          {openValue !== null && (
            <span
              className="pointer-events-none absolute size-2.5 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-accent bg-card"
              style={{ left: `${xOf(progress.last)}%`, top: `${openValue}%` }}
              data-open-dot
            />
          )}
          {chosen !== null && (
            <ChartCursor
              x={xOf(chosen)}
              y={heightOf(points[chosen]?.value)}
              earlierY={heightOf(earlier[chosen])}
              words={describe(chosen)}
            />
          )}
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

function speak({ when, howMany, earlier, events = [] }: ChartWords): string {
  const figures = [{ when, howMany }, ...(earlier ? [earlier] : [])].map(
    (figure) => `${figure.when}: ${figure.howMany}`,
  );
  return [...figures, ...events].join(". ");
}
