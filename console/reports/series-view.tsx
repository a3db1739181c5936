import { ChartLine, Table2 } from "lucide-react";
import { useState } from "react";
import { Button } from "#console/ui/button.tsx";
import { type DayRange, dayIn } from "#console/ui/days.ts";
import { formatExact } from "#console/ui/format.ts";
import { formatBucket } from "./dates.ts";
import { useReportScope } from "./report-context.tsx";
import type { Period, SeriesPoint } from "./report-query.ts";
import type { ReportSearch } from "./report-search.ts";
import { SeriesChart } from "./series-chart.tsx";
import { SeriesTable } from "./series-table.tsx";

interface SeriesViewProps {
  readonly series: readonly SeriesPoint[];
  readonly period: Period;
  readonly metric: "clicks" | "unique_visitors";
}

const metricWords = { clicks: ["click", "clicks"], unique_visitors: ["visitor", "visitors"] } as const;

/** The course of one figure, as a picture or as a table. */
export function SeriesView({ series, period, metric }: SeriesViewProps) {
  const { show } = useReportScope();
  const [isTable, setTable] = useState(false);
  const { granularity, timezone } = period;
  const points = series.map((point) => ({ value: point[metric], start: point.start }));
  const describe = (index: number): string => {
    const point = points[index];
    if (!point) return "";
    const { value } = point;
    const [one, many] = metricWords[metric];
    return value === null ? "too long ago to tell" : `${formatExact(value)} ${value === 1 ? one : many}`;
  };
  return (
    <div className="relative p-5 pt-3">
      <div className="mb-1 flex items-center justify-between">
        <p className="text-xs text-faint">{`By ${granularity}`}</p>
        <Button
          look="quiet"
          size="icon"
          aria-label={isTable ? "Show as chart" : "Show as table"}
          title={isTable ? "Show as chart" : "Show as table"}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? <ChartLine className="size-4" aria-hidden /> : <Table2 className="size-4" aria-hidden />}
        </Button>
      </div>
      {isTable ? (
        <SeriesTable series={series} period={period} />
      ) : (
        <SeriesChart
          label={`${metric === "clicks" ? "Clicks" : "Unique visitors"} by ${granularity}`}
          points={points}
          period={period}
          describe={(index) => [
            formatBucket(points[index]?.start ?? period.from, granularity, timezone),
            describe(index),
          ]}
          {...(granularity !== "hour" && {
            onOpen: (index: number) => {
              const range = rangeOf(series, index, period);
              if (range) show((before) => zoomTo(before, range));
            },
          })}
        />
      )}
    </div>
  );
}

/** The dates that a bucket covers. */
function rangeOf(series: readonly SeriesPoint[], index: number, { to, timezone }: Period): DayRange | undefined {
  const start = series[index]?.start;
  if (start === undefined) return undefined;
  const from = dayIn(timezone, start);
  const next = series[index + 1]?.start;
  if (next !== undefined) return { from, to: dayIn(timezone, next) };
  // The last bucket ends with the period, in the middle of a day that is to be shown whole.
  return { from, to: dayIn(timezone, Date.parse(to) + 86_399_999) };
}

function zoomTo({ interval: _, granularity: __, ...search }: ReportSearch, range: DayRange): ReportSearch {
  return { ...search, ...range };
}
