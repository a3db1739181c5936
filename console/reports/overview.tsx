import { classes } from "#console/ui/classes.ts";
import { Skeleton } from "#console/ui/panel.tsx";
import type { AnalyticsReport } from "#contract/analytics.ts";
import { formatPeriod } from "./dates.ts";
import { useReportScope } from "./report-context.tsx";
import type { Totals } from "./report-query.ts";
import { SeriesView } from "./series-view.tsx";
import { Total } from "./total.tsx";

const tiles: readonly { readonly name: keyof Totals; readonly label: string; readonly hint: string }[] = [
  { name: "clicks", label: "Clicks", hint: "Visits by people." },
  { name: "unique_visitors", label: "Unique visitors", hint: "Distinct visitors of each day, added up." },
  { name: "qr_scans", label: "QR scans", hint: "Clicks that came from a QR code." },
  { name: "bot_hits", label: "Bots", hint: "Bots, previews and prefetches. They are not counted as clicks." },
];

const COLUMNS = "grid grid-cols-2 sm:grid-cols-4";

/** The figures of a report and their course. */
export function Overview({ report, isStale }: { readonly report: AnalyticsReport; readonly isStale: boolean }) {
  const { search, show } = useReportScope();
  const { totals, previous, series, period } = report;
  const metric = search.metric ?? "clicks";
  const before = previous && formatPeriod(previous.period);
  return (
    <div aria-busy={isStale} className={classes("transition-opacity", isStale && "opacity-50")}>
      <div className={classes(COLUMNS, "border-b border-line")}>
        {tiles.map(({ name, label, hint }) => (
          <Total
            key={name}
            label={label}
            hint={
              search.include_bots === "true" && name === "bot_hits"
                ? "Bots, previews and prefetches, counted as clicks."
                : hint
            }
            value={totals[name]}
            before={previous && before !== undefined ? { value: previous.totals[name], period: before } : null}
            isGood={name !== "bot_hits"}
            {...((name === "clicks" || name === "unique_visitors") && {
              chosen: name === metric,
              onChoose: () => show(({ metric: _, ...rest }) => (name === "clicks" ? rest : { ...rest, metric: name })),
            })}
          />
        ))}
      </div>
      <SeriesView series={series} period={period} metric={metric} />
    </div>
  );
}

/** As high as what will take its place. */
export const OverviewSkeleton = () => (
  <output className="block" aria-label="Loading the report">
    <div className={classes(COLUMNS, "border-b border-line")}>
      {tiles.map(({ name, label }) => (
        <div key={name} className="px-5 py-4">
          <p className="text-sm text-soft">{label}</p>
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
