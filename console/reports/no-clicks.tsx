import { MousePointerClick } from "lucide-react";
import { Button } from "#console/ui/button.tsx";
import { Empty, Panel } from "#console/ui/panel.tsx";
import { reportTexts } from "#texts/reports.ts";
import { useReportScope } from "./report-context.tsx";
import { filtersOf, withoutFilters, withRange } from "./report-search.ts";

const texts = reportTexts.empty;

/** In place of the lists, which would all be empty: why that may be, and what to do. */
export function NoClicks() {
  const { search, show } = useReportScope();
  const isFiltered = filtersOf(search).length > 0;
  const action = isFiltered ? (
    <Button onClick={() => show(withoutFilters)}>{texts.clearFilters}</Button>
  ) : (
    search.interval !== "all" && (
      <Button onClick={() => show((before) => withRange(before, { interval: "all" }))}>{texts.showAllTime}</Button>
    )
  );
  return (
    <Panel>
      <Empty icon={<MousePointerClick aria-hidden />} title={texts.title} action={action}>
        {isFiltered ? texts.noMatch : texts.note}
      </Empty>
    </Panel>
  );
}
