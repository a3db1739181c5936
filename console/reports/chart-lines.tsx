import type { Progress } from "./progress.ts";

interface ChartLinesProps {
  /** `null` where it is unknown. */
  readonly values: readonly (number | null)[];
  /** The same figure in the period before, bucket by bucket. */
  readonly earlier: readonly (number | null)[];
  readonly ticks: readonly number[];
  readonly progress: Progress;
  readonly xOf: (index: number) => number;
  readonly yOf: (value: number) => number;
}

const stroke = {
  fill: "none",
  vectorEffect: "non-scaling-stroke",
  strokeLinejoin: "round",
  strokeLinecap: "round",
} as const;

/** Grid, area and lines. The way to a bucket that isn't over yet is dashed, since it will still rise. */
export function ChartLines({ values, earlier, ticks, progress: { last, isOpen }, xOf, yOf }: ChartLinesProps) {
  const toSpots = (of: readonly (number | null)[], from = 0) => toRuns(of, { from, xOf, yOf });
  const known = values.slice(0, last + 1);
  const steady = toSpots(isOpen && last > 0 ? known.slice(0, -1) : known);
  const all = toSpots(known);
  const tail = isOpen && last > 0 ? toSpots(known, last - 1) : [];
  const ghost = toSpots(earlier.slice(0, values.length));
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
      <path d={steady.map(toArea).join("")} className="fill-accent-soft" fillOpacity={0.7} />
      <path
        d={ghost.map(toLine).join("")}
        {...stroke}
        className="stroke-faint/60"
        strokeWidth={1.5}
        data-line="before"
      />
      {ghost.filter((run) => run.length === 1).map(([spot]) => spot && <Dot key={spot.x} {...spot} isGhost />)}
      <path d={steady.map(toLine).join("")} {...stroke} className="stroke-accent" strokeWidth={2} data-line="now" />
      <path
        d={tail.map(toLine).join("")}
        {...stroke}
        className="stroke-accent"
        strokeWidth={2}
        strokeDasharray="3 5"
        data-line="open"
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
const Dot = ({ x, y, isGhost = false }: Spot & { readonly isGhost?: boolean }) => (
  <path
    d={`M${x} ${y}h0`}
    {...stroke}
    className={isGhost ? "stroke-faint/60" : "stroke-accent"}
    strokeWidth={isGhost ? 5 : 7}
  />
);

interface Scales {
  readonly from: number;
  readonly xOf: (index: number) => number;
  readonly yOf: (value: number) => number;
}

/** Unbroken stretches of known values. */
function toRuns(values: readonly (number | null)[], { from, xOf, yOf }: Scales): readonly (readonly Spot[])[] {
  const runs: Spot[][] = [];
  let run: Spot[] = [];
  for (const [index, value] of values.entries()) {
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
