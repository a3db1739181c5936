import { useMutation } from "@tanstack/react-query";
import { dayIn } from "#console/ui/days.ts";
import { saveFile } from "#console/ui/save-file.ts";
import { toastError } from "#console/ui/toast.tsx";
import type { AccountDimension } from "#contract/analytics.ts";
import { useReportScope } from "./report-context.tsx";
import { toReportQuery } from "./report-query.ts";
import type { ReportSearch } from "./report-search.ts";
import { DIALOG_LIMIT } from "./use-report.ts";

interface Wish {
  readonly search: ReportSearch;
  /** Left out, the course over time is wanted. */
  readonly dimension?: AccountDimension;
}

/** Saves what the report shows as a CSV file, which the server makes. */
export function useDownload() {
  const { askCsv } = useReportScope().source;
  return useMutation({
    async mutationFn({ search, dimension }: Wish) {
      const one = dimension && { group_by: [dimension], limit: DIALOG_LIMIT };
      const file = await askCsv?.({ ...toReportQuery(search), ...one });
      if (file) saveFile(file, `clicks-by-${dimension ?? "time"}-${dayIn("UTC")}.csv`);
    },
    onError: toastError,
  });
}
