import type { Period } from "./report-query.ts";
import type { ChartPoint } from "./series-chart.tsx";

interface ChartLinesProps {
  readonly points: readonly ChartPoint[];
  readonly ticks: readonly number[];
  readonly period: Period;
  readonly xOf: (index: number) => number;
  readonly yOf: (value: number) => number;
}

const stroke = { fill: "none", vectorEffect: "non-scaling-stroke" } as const;

/** Grid, area and line. The way to a bucket that is not over yet is dashed, since it will still rise. */
export function ChartLines({ points, ticks, period, xOf, yOf }: ChartLinesProps) {
  const last = points.length - 1;
  const goesOn = last > 0 && isUnfinished(points, period);
  const steady = toRuns(goesOn ? points.slice(0, -1) : points, xOf, yOf);
  const all = toRuns(points, xOf, yOf);
  const tail = goesOn ? toRuns(points, xOf, yOf, last - 1) : [];
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="size-full overflow-visible" aria-hidden="true">
      {ticks.map((tick) => (
        <line
          key={tick}
          x1={0}
          x2={100}
          y1={yOf(tick)}
          y2={yOf(tick)}
          className="stroke-line"
          strokeWidth={1}
          vectorEffect="non-scaling-stroke"
        />
      ))}
      <path d={all.map(toArea).join("")} className="fill-accent-soft" fillOpacity={0.7} />
      <path
        d={steady.map(toLine).join("")}
        {...stroke}
        className="stroke-accent"
        strokeWidth={2}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <path
        d={tail.map(toLine).join("")}
        {...stroke}
        className="stroke-accent"
        strokeWidth={2}
        strokeDasharray="3 5"
        strokeLinecap="round"
      />
      {all.filter((run) => run.length === 1).map(([spot]) => spot && <Dot key={spot.x} {...spot} />)}
    </svg>
  );
}

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** A line of no length with round ends, because a circle would be stretched with the picture. */
const Dot = ({ x, y }: Spot) => (
  <path d={`M${x} ${y}h0`} {...stroke} className="stroke-accent" strokeWidth={7} strokeLinecap="round" />
);

/** Unbroken stretches of known values. */
function toRuns(
  points: readonly ChartPoint[],
  xOf: (index: number) => number,
  yOf: (value: number) => number,
  from = 0,
): readonly (readonly Spot[])[] {
  const runs: Spot[][] = [];
  let run: Spot[] = [];
  for (const [index, { value }] of points.entries()) {
    if (index < from) continue;
    if (value === null) run = [];
    else {
      if (run.length === 0) runs.push(run);
      run.push({ x: xOf(index), y: yOf(value) });
    }
  }
  return runs;
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
const toLine = (run: readonly Spot[]): string =>
  run.length < 2 ? "" : `M${run.map(({ x, y }) => `${round(x)} ${round(y)}`).join("L")}`;

function toArea(run: readonly Spot[]): string {
  const [first, last] = [run[0], run.at(-1)];
  return first && last && run.length > 1 ? `${toLine(run)}L${round(last.x)} 100L${round(first.x)} 100Z` : "";
}

/** Whether the period ends before its last bucket does, judged by the length of the bucket before. */
function isUnfinished(points: readonly ChartPoint[], { to }: Period): boolean {
  const [before, last] = points.slice(-2).map(({ start }) => Date.parse(start));
  return before !== undefined && last !== undefined && Date.parse(to) < last + (last - before) * 0.95;
}
