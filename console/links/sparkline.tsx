import { classes } from "#console/ui/classes.ts";

const WIDTH = 72;
const HEIGHT = 22;
// Half of the line's width would be cut off otherwise.
const EDGE = 1.5;

/** The outline of a series, from the left to the right of its place; a flat line if it is empty. */
export function sparklinePath(values: readonly number[]): string {
  const most = Math.max(1, ...values);
  const points = values.length > 1 ? values : [0, 0];
  const step = WIDTH / (points.length - 1);
  const heightOf = (value: number) => HEIGHT - EDGE - (value / most) * (HEIGHT - 2 * EDGE);
  const round = (value: number) => Math.round(value * 10) / 10;
  return points
    .map((value, index) => `${index === 0 ? "M" : "L"}${round(index * step)} ${round(heightOf(value))}`)
    .join("");
}

/** How a figure developed, small enough to stand in a row. Says nothing by itself: the figure beside it does. */
export function Sparkline({ values }: { readonly values: readonly number[] | undefined }) {
  const line = values && sparklinePath(values);
  const isFlat = !values?.some((value) => value > 0);
  return (
    <svg
      aria-hidden
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={classes("shrink-0", isFlat ? "text-line-strong" : "text-accent")}
    >
      {line && !isFlat && <path d={`${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} fill="currentColor" opacity={0.14} />}
      {line && <path d={line} fill="none" stroke="currentColor" strokeWidth={1.5} strokeLinejoin="round" />}
    </svg>
  );
}
