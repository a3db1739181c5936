import { formatExact } from "#console/ui/format.ts";
import { reportTexts as texts } from "#texts/reports.ts";
import { formatBucket } from "./dates.ts";
import { metrics } from "./metrics.ts";
import type { Period, SeriesPoint } from "./report-query.ts";

interface SeriesTableProps {
  readonly series: readonly SeriesPoint[];
  readonly period: Period;
}

const cell = "py-1.5 pl-3 text-right tabular-nums";

/** Every number of the chart, newest first, for those who read rather than look. */
export const SeriesTable = ({ series, period: { granularity, timezone } }: SeriesTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <section className="h-72 overflow-auto rounded-lg" tabIndex={0} aria-label={texts.series.table}>
    <table className="w-full text-sm">
      <thead className="sticky top-0 bg-card text-left text-soft">
        <tr>
          <th scope="col" className="py-1.5 font-medium">
            {texts.granularities[granularity].name}
          </th>
          {metrics.map((metric) => (
            <th key={metric} scope="col" className={`${cell} font-medium`}>
              {texts.metrics[metric].label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {series.toReversed().map((point) => (
          <tr key={point.start}>
            <th scope="row" className="py-1.5 text-left font-normal">
              {formatBucket(point.start, granularity, timezone)}
            </th>
            {metrics.map((metric) => (
              <td key={metric} className={cell}>
                {formatFigure(point[metric])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

const formatFigure = (value: number | null): string => (value === null ? "–" : formatExact(value));
