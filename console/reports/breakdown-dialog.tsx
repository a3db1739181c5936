import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { Dialog } from "#console/ui/dialog.tsx";
import { Failure } from "#console/ui/failure.tsx";
import { inputClasses } from "#console/ui/field.tsx";
import { formatCount } from "#console/ui/format.ts";
import { Skeleton } from "#console/ui/panel.tsx";
import type { AccountDimension } from "#contract/analytics.ts";
import { dimensionTexts } from "#texts/dimensions.ts";
import { reportTexts } from "#texts/reports.ts";
import { BreakdownList } from "./breakdown-list.tsx";
import { addFormerValues, readEarlierClicks } from "./earlier-clicks.ts";
import { MissingNote } from "./missing-note.tsx";
import { useReportScope } from "./report-context.tsx";
import type { ReportSearch } from "./report-search.ts";
import { useDownload } from "./use-download.ts";
import { DIALOG_LIMIT, useBreakdown, useBreakdownBefore } from "./use-report.ts";

const texts = reportTexts.cards;

interface BreakdownDialogProps {
  readonly dimension: AccountDimension;
  /** Whether to expect more values than a card shows. */
  readonly isLong: boolean;
  readonly onClose: () => void;
}

const SEARCH_FROM = 12;

/** As many values as the API gives. Its own filter does not narrow the list, so that more values can be chosen. */
export function BreakdownDialog({ dimension, isLong, onClose }: BreakdownDialogProps) {
  const { source, search } = useReportScope();
  const [wanted, setWanted] = useState("");
  // Selecting a value changes what the card shows, which must not resize the dialog.
  const [isTall] = useState(isLong);
  const { [dimension]: _, ...others } = search;
  const open: ReportSearch = others;
  const {
    data: now,
    error,
    refetch,
  } = useBreakdown(source, open, dimension, { limit: DIALOG_LIMIT, withVisitors: true });
  const before = useBreakdownBefore(source, open, dimension);
  const breakdownBefore = before.data?.breakdowns[dimension];
  const earlier = useMemo(
    () => before.data && breakdownBefore && readEarlierClicks(breakdownBefore, before.data.period),
    [before.data, breakdownBefore],
  );
  const data = useMemo(
    () => (now && breakdownBefore ? addFormerValues(now, breakdownBefore) : now),
    [now, breakdownBefore],
  );
  const download = useDownload();
  const { label } = dimensionTexts[dimension];
  return (
    <Dialog title={label} open onClose={onClose} size="wide">
      <div className="mb-3 flex gap-2">
        {data && data.items.length >= SEARCH_FROM && (
          <input
            type="search"
            aria-label={texts.searchIn(label)}
            placeholder={texts.search}
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
            className={inputClasses}
          />
        )}
        {source.askCsv && (
          <Button
            className="ml-auto"
            busy={download.isPending}
            onClick={() => download.mutate({ search: open, dimension })}
          >
            {!download.isPending && <Download className="size-4" aria-hidden />}
            {texts.csv}
          </Button>
        )}
      </div>
      {before.error && !earlier && (
        <MissingNote onRetry={() => void before.refetch()} className="mb-3 px-2">
          {reportTexts.noComparison}
        </MissingNote>
      )}
      <div
        aria-busy={before.isLoading}
        className={classes("overflow-y-auto overscroll-contain", isTall ? "h-[60dvh]" : "max-h-[60dvh] min-h-56")}
      >
        {data ? (
          <>
            <BreakdownList
              dimension={dimension}
              breakdown={data}
              wanted={wanted}
              {...((earlier || before.isLoading) && { comparison: { earlier } })}
            />
            {data.other_clicks > 0 && (earlier || before.isLoading || !source.hidesRare) && (
              <p className="px-2 py-3 text-sm text-soft">{texts.more(formatCount(data.other_clicks))}</p>
            )}
          </>
        ) : error ? (
          <Failure error={error} onRetry={refetch} />
        ) : (
          <Skeleton className={isTall ? "h-full" : "h-56"} />
        )}
      </div>
    </Dialog>
  );
}
