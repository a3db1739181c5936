import { MousePointerClick } from "lucide-react";
import { Button } from "#console/ui/button.tsx";
import { Empty, Panel } from "#console/ui/panel.tsx";
import { useReportScope } from "./report-context.tsx";
import { filtersOf, withoutFilters, withRange } from "./report-search.ts";

/** In place of the lists, which would all be empty: why that may be, and what to do. */
export function NoClicks() {
  const { search, show } = useReportScope();
  const isFiltered = filtersOf(search).length > 0;
  const action = isFiltered ? (
    <Button onClick={() => show(withoutFilters)}>Clear all filters</Button>
  ) : (
    search.interval !== "all" && (
      <Button onClick={() => show((before) => withRange(before, { interval: "all" }))}>Show all time</Button>
    )
  );
  return (
    <Panel>
      <Empty icon={<MousePointerClick aria-hidden />} title="No clicks in this period" action={action}>
        {isFiltered
          ? "Nothing matches all of the filters."
          : "Once someone opens a short link, you’ll see where they came from and what they used."}
      </Empty>
    </Panel>
  );
}
