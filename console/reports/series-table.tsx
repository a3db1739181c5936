import { formatExact } from "#console/ui/format.ts";
import { formatBucket } from "./dates.ts";
import type { Period, SeriesPoint } from "./report-query.ts";

interface SeriesTableProps {
  readonly series: readonly SeriesPoint[];
  readonly period: Period;
}

const cell = "py-1.5 text-right tabular-nums";

/** Every number of the chart, newest first, for those who read rather than look. */
export const SeriesTable = ({ series, period: { granularity, timezone } }: SeriesTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <section className="h-72 overflow-auto rounded-lg" tabIndex={0} aria-label="Figures over time">
    <table className="w-full text-sm">
      <thead className="sticky top-0 bg-card text-left text-soft">
        <tr>
          <th scope="col" className="py-1.5 font-medium capitalize">
            {granularity}
          </th>
          <th scope="col" className={`${cell} font-medium`}>
            Clicks
          </th>
          <th scope="col" className={`${cell} font-medium`}>
            Unique visitors
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {series.toReversed().map(({ start, clicks, unique_visitors }) => (
          <tr key={start}>
            <th scope="row" className="py-1.5 text-left font-normal">
              {formatBucket(start, granularity, timezone)}
            </th>
            <td className={cell}>{formatExact(clicks)}</td>
            <td className={cell}>{unique_visitors === null ? "–" : formatExact(unique_visitors)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
