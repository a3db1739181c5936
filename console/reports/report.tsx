import { Fragment, type ReactNode, useMemo } from "react";
import { usePageTitle } from "#console/ui/page-title.ts";
import { Panel, Skeleton } from "#console/ui/panel.tsx";
import { BreakdownCard } from "./breakdown-card.tsx";
import { BusiestTimes } from "./busiest-times.tsx";
import { formatPeriod } from "./dates.ts";
import { FilterChips } from "./filter-chips.tsx";
import { NoClicks } from "./no-clicks.tsx";
import { Overview, OverviewSkeleton } from "./overview.tsx";
import { RangePicker } from "./range-picker.tsx";
import { ReportProvider, type ReportScope } from "./report-context.tsx";
import { ReportFailure } from "./report-failure.tsx";
import { ReportOptions } from "./report-options.tsx";
import { useOverview, usePeriodBefore } from "./use-report.ts";

interface ReportProps extends ReportScope {
  /** Nothing while it is not known yet. */
  readonly title: string | undefined;
  /** Stands below the title: what the report is about. */
  readonly children?: ReactNode;
}

/** One report for an account, for a link, and for those whom a link's is shared with. */
export function Report({ source, search, show, title, children }: ReportProps) {
  const overview = useOverview(source, search);
  const earlier = usePeriodBefore(source, search);
  usePageTitle(title);
  const scope = useMemo(() => ({ source, search, show }), [source, search, show]);
  const { data, error, isPlaceholderData, refetch } = overview;
  return (
    <ReportProvider value={scope}>
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 grow basis-80">
          <h1 className="truncate text-2xl font-semibold tracking-tight" title={title}>
            {title ?? <Skeleton className="h-9 w-48" />}
          </h1>
          {children}
          <p className="mt-0.5 min-h-6 text-sm text-soft">
            {data && `${formatPeriod(data.period)} · ${data.period.timezone}`}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2" data-screen-only>
          {source.Live && <source.Live />}
          <RangePicker />
          <ReportOptions title={title} report={data} before={earlier.data} />
        </div>
      </header>
      <FilterChips />
      <Panel className="mb-4 overflow-hidden">
        {data && !(error && isPlaceholderData) ? (
          <Overview report={data} isStale={isPlaceholderData} earlier={earlier} />
        ) : error ? (
          <ReportFailure error={error} onRetry={refetch} />
        ) : (
          <OverviewSkeleton />
        )}
      </Panel>
      {data?.totals.clicks === 0 && !isPlaceholderData && <NoClicks />}
      {/* Where the figures cannot be had, neither can the lists: it is said once. */}
      {(data ? data.totals.clicks > 0 || isPlaceholderData : !error) && (
        <>
          {source.Splits && <source.Splits />}
          <div className="grid gap-4 lg:grid-cols-2" data-report-cards>
            {source.cards.map((group) => (
              <Fragment key={group.name}>
                <BreakdownCard group={group} />
                {group.name === "devices" && (
                  <BusiestTimes
                    hours={data?.week_hours}
                    clicks={data?.totals.clicks}
                    timezone={data?.period.timezone}
                  />
                )}
              </Fragment>
            ))}
          </div>
        </>
      )}
    </ReportProvider>
  );
}
