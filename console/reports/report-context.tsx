import { createContext, useContext } from "react";
import type { AccountDimension } from "#contract/analytics.ts";
import { type ReportSearch, toggleFilter } from "./report-search.ts";
import type { ReportSource } from "./report-source.ts";

/**
 * Shows another report. The one before stays in the history, unless it is replaced. A change is made to what was chosen
 * last, which may not be on screen yet.
 */
export type ShowReport = (
  change: (before: ReportSearch) => ReportSearch,
  options?: { readonly replace?: boolean },
) => void;

export interface ReportScope {
  readonly source: ReportSource;
  readonly search: ReportSearch;
  readonly show: ShowReport;
}

const ReportContext = createContext<ReportScope | null>(null);

export const ReportProvider = ReportContext.Provider;

export function useReportScope(): ReportScope & {
  readonly toggle: (dimension: AccountDimension, value: string) => void;
} {
  const scope = useContext(ReportContext);
  if (!scope) throw new Error("there is no report on screen");
  return {
    ...scope,
    toggle(dimension, value) {
      if (scope.source.canFilter) scope.show((before) => toggleFilter(before, dimension, value));
    },
  };
}
