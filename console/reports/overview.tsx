import { classes } from "#console/ui/classes.ts";
import { Skeleton } from "#console/ui/panel.tsx";
import { reportTexts as texts } from "#texts/reports.ts";
import { toAnnotations } from "./annotations.ts";
import { formatCutPeriod } from "./dates.ts";
import { type Metric, metrics } from "./metrics.ts";
import { MissingNote } from "./missing-note.tsx";
import { useReportScope } from "./report-context.tsx";
import type { ReportData } from "./report-query.ts";
import { SeriesView } from "./series-view.tsx";
import { Total } from "./total.tsx";
import type { usePeriodBefore } from "./use-report.ts";

const COLUMNS = "grid grid-cols-2 sm:grid-cols-4";
const MISSING = "border-t border-line px-5 py-3";

interface OverviewProps {
  readonly report: ReportData;
  readonly isStale: boolean;
  /** The period before, which is loaded beside the report. */
  readonly earlier: ReturnType<typeof usePeriodBefore>;
}

/** The figures of a report and their course, beside those of the period before. */
export function Overview({ report, isStale, earlier }: OverviewProps) {
  const { source, search, show } = useReportScope();
  const events = source.useEvents(source.link, report.period);
  const before = isStale ? undefined : earlier.data;
  const metric = search.metric ?? "clicks";
  const choose = (name: Metric): void =>
    show(({ metric: _, ...rest }) => (name === "clicks" ? rest : { ...rest, metric: name }));
  return (
    <div aria-busy={isStale || earlier.isLoading} className={classes("transition-opacity", isStale && "opacity-50")}>
      <div className={classes(COLUMNS, "border-b border-line")}>
        {metrics.map((name) => (
          <Total
            key={name}
            label={texts.metrics[name].label}
            hint={search.include_bots === "true" && name === "bot_hits" ? texts.botsAsClicks : texts.metrics[name].hint}
            value={report.totals[name]}
            before={before ? { value: before.totals[name], period: formatCutPeriod(before.period) } : null}
            isGood={name !== "bot_hits"}
            chosen={name === metric}
            onChoose={() => choose(name)}
          />
        ))}
      </div>
      <SeriesView
        series={report.series}
        period={report.period}
        before={before}
        metric={metric}
        annotations={toAnnotations(events.data ?? [], report.series)}
      />
      {earlier.error && !isStale && (
        <MissingNote onRetry={() => void earlier.refetch()} className={MISSING}>
          {texts.noComparison}
        </MissingNote>
      )}
      {events.error && !isStale && (
        <MissingNote onRetry={() => void events.refetch()} className={MISSING}>
          {texts.noEvents}
        </MissingNote>
      )}
    </div>
  );
}

/** As high as what will take its place. */
export const OverviewSkeleton = () => (
  <output className="block" aria-label={texts.loading}>
    <div className={classes(COLUMNS, "border-b border-line")}>
      {metrics.map((name) => (
        <div key={name} className="px-5 py-4">
          <p className="text-sm text-soft">{texts.metrics[name].label}</p>
          <Skeleton className="mt-1.5 h-8 w-20" />
          <Skeleton className="mt-2 h-4 w-14" />
        </div>
      ))}
    </div>
    <div className="p-5">
      <Skeleton className="h-72" />
    </div>
  </output>
);
