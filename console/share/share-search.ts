import { useCallback, useMemo } from "react";
import { parseSearch, stringifySearch } from "#console/app/search-params.ts";
import type { ShowReport } from "#console/reports/report-context.tsx";
import { type ReportSearch, readReportSearch, withoutFilters } from "#console/reports/report-search.ts";
import { makeStore } from "#console/ui/store.ts";

const query = makeStore(window.location.search);
window.addEventListener("popstate", () => query.set(window.location.search));

interface Terms {
  /** Of the report, whoever looks at it. */
  readonly timezone: string;
  readonly canFilter: boolean;
}

/** What the address says about the report, and a way to change that. */
export function useShareSearch({ timezone, canFilter }: Terms): readonly [ReportSearch, ShowReport] {
  const text = query.use();
  const search = useMemo(() => readAddress(text, { timezone, canFilter }), [text, timezone, canFilter]);
  const show = useCallback<ShowReport>(
    (change, { replace = false } = {}) => {
      const { timezone: _, ...next } = change(readAddress(query.get(), { timezone, canFilter }));
      const address = window.location.pathname + stringifySearch({ ...next });
      window.history[replace ? "replaceState" : "pushState"](null, "", address);
      query.set(window.location.search);
    },
    [timezone, canFilter],
  );
  return [search, show];
}

function readAddress(text: string, { timezone, canFilter }: Terms): ReportSearch {
  const search = readReportSearch(parseSearch(text));
  return { ...(canFilter ? search : withoutFilters(search)), timezone };
}
