import { ChartLine, Table2 } from "lucide-react";
import { useState } from "react";
import { Button } from "#console/ui/button.tsx";
import { addDays, type DayRange, dayIn } from "#console/ui/days.ts";
import { reportTexts as texts } from "#texts/reports.ts";
import type { Annotation } from "./annotations.ts";
import type { ChartWords } from "./chart-cursor.tsx";
import { formatBucket, formatCutBucket, formatCutPeriod } from "./dates.ts";
import type { Metric } from "./metrics.ts";
import { findProgress } from "./progress.ts";
import { useReportScope } from "./report-context.tsx";
import type { Period, ReportData, SeriesPoint } from "./report-query.ts";
import type { ReportSearch } from "./report-search.ts";
import { SeriesChart } from "./series-chart.tsx";
import { SeriesTable } from "./series-table.tsx";

/** A report's figures over time. */
export type Course = Pick<ReportData, "series" | "period">;

interface SeriesViewProps extends Course {
  /** The period before, once it is there. */
  readonly before: Course | undefined;
  readonly metric: Metric;
  readonly annotations: readonly Annotation[];
}

/** The course of one figure, as a picture or as a table. */
export function SeriesView({ series, period, before, metric, annotations }: SeriesViewProps) {
  const { show } = useReportScope();
  const [isTable, setTable] = useState(false);
  const { granularity, timezone } = period;
  const progress = findProgress(series, period, Date.now());
  // Buckets of another length can't be compared one by one.
  const earlier = before?.period.granularity === granularity ? before : undefined;

  function describe(index: number): ChartWords {
    const point = series[index];
    const isOpen = progress.isOpen && index === progress.last;
    const howMany = point ? describeFigure(metric, point[metric]) : "";
    const past = earlier?.series[index];
    const events = annotations.find((annotation) => annotation.index === index)?.words;
    return {
      when: formatBucket(point?.start ?? period.from, granularity, timezone),
      howMany: isOpen ? texts.series.soFar(howMany) : howMany,
      ...(earlier &&
        past && {
          earlier: { when: formatCutBucket(earlier, index), howMany: describeFigure(metric, past[metric]) },
        }),
      ...(events && { events }),
    };
  }

  return (
    <div className="relative p-5 pt-3">
      <div className="mb-1 flex items-center justify-between gap-3">
        <p className="flex min-h-9 flex-wrap items-center gap-x-4 text-xs text-faint">
          <span>{texts.granularities[granularity].by}</span>
          {earlier && (
            <span className="flex items-center gap-1.5">
              <span className="h-0.5 w-4 rounded-full bg-faint/60" />
              {formatCutPeriod(earlier.period)}
            </span>
          )}
        </p>
        <Button
          look="quiet"
          size="icon"
          data-screen-only
          aria-label={isTable ? texts.series.asChart : texts.series.asTable}
          title={isTable ? texts.series.asChart : texts.series.asTable}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? <ChartLine className="size-4" aria-hidden /> : <Table2 className="size-4" aria-hidden />}
        </Button>
      </div>
      {isTable ? (
        <SeriesTable series={series.slice(0, progress.last + 1)} period={period} />
      ) : (
        <SeriesChart
          label={texts.granularities[granularity].chart(texts.metrics[metric].label)}
          points={series.map((point) => ({ start: point.start, value: point[metric] }))}
          earlier={earlier?.series.map((point) => point[metric]) ?? []}
          period={period}
          progress={progress}
          noted={annotations.map(({ index }) => index)}
          describe={describe}
          {...(granularity !== "hour" && {
            onOpen: (index: number) => {
              const range = rangeOf(series, index, period);
              if (range) show((search) => zoomTo(search, range));
            },
          })}
        />
      )}
    </div>
  );
}

/** `null` where it is unknown. */
const describeFigure = (metric: Metric, value: number | null): string =>
  value === null ? texts.series.unknown : texts.metrics[metric].count(value);

/** The dates that a bucket covers. */
function rangeOf(series: readonly SeriesPoint[], index: number, { to, timezone }: Period): DayRange | undefined {
  const start = series[index]?.start;
  if (start === undefined) return undefined;
  const from = dayIn(timezone, start);
  const next = series[index + 1]?.start;
  if (next !== undefined) return { from, to: dayIn(timezone, next) };
  // The last bucket may end in the middle of a day that is to be shown whole.
  return { from, to: addDays(dayIn(timezone, Date.parse(to) - 1), 1) };
}

function zoomTo({ interval: _, granularity: __, ...search }: ReportSearch, range: DayRange): ReportSearch {
  return { ...search, ...range };
}
