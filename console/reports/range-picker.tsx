import { CalendarDays, ChevronDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button } from "#console/ui/button.tsx";
import { dayIn, formatDays } from "#console/ui/days.ts";
import { Menu, MenuItem, MenuLine } from "#console/ui/menu.tsx";
import { intervals } from "#contract/analytics.ts";
import { useReportScope } from "./report-context.tsx";
import { DEFAULT_INTERVAL, type Interval, type ReportSearch } from "./report-search.ts";
import { readTimeZone } from "./time-zone.ts";

const DayRangeDialog = lazy(async () => ({
  default: (await import("#console/ui/day-range-dialog.tsx")).DayRangeDialog,
}));

const intervalNames: { readonly [I in Interval]: string } = {
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  "90d": "Last 90 days",
  "1y": "Last year",
  mtd: "This month",
  ytd: "This year",
  all: "All time",
};

/** The way of cutting goes with the old range: it may not fit the new one. */
export function withRange(search: ReportSearch, range: Pick<ReportSearch, "interval" | "from" | "to">): ReportSearch {
  const { interval: _, from: __, to: ___, granularity: ____, ...rest } = search;
  return { ...rest, ...(range.interval === DEFAULT_INTERVAL ? {} : range) };
}

export function RangePicker() {
  const { search, show } = useReportScope();
  const [isCustom, setCustom] = useState(false);
  const { from, to } = search;
  const range = from && to ? { from, to } : null;
  const interval = range ? null : (search.interval ?? DEFAULT_INTERVAL);
  const label = range ? formatDays(range) : intervalNames[interval ?? DEFAULT_INTERVAL];
  return (
    <>
      <Menu
        label="Time range"
        trigger={
          <Button aria-label={`Time range: ${label}`}>
            <CalendarDays className="size-4 text-faint" aria-hidden />
            {label}
            <ChevronDown className="size-4 text-faint" aria-hidden />
          </Button>
        }
      >
        {intervals.map((name) => (
          <MenuItem key={name} chosen={name === interval} onSelect={() => show(withRange(search, { interval: name }))}>
            {intervalNames[name]}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem chosen={interval === null} onSelect={() => setCustom(true)}>
          Custom range…
        </MenuItem>
      </Menu>
      {isCustom && (
        <Suspense>
          <DayRangeDialog
            range={range}
            today={dayIn(search.timezone ?? readTimeZone())}
            onChoose={(chosen) => show(withRange(search, chosen))}
            onClose={() => setCustom(false)}
          />
        </Suspense>
      )}
    </>
  );
}
