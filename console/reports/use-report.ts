import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import type { AccountDimension } from "#contract/analytics.ts";
import { askBreakdown } from "./breakdown-batch.ts";
import { findPeriodBefore } from "./period-before.ts";
import { chosenRange } from "./range-words.ts";
import { type ReportLink, type ReportQuery, toReportQuery } from "./report-query.ts";
import type { ReportSearch } from "./report-search.ts";
import type { ReportSource } from "./report-source.ts";

/** How many values a card shows. */
export const CARD_LIMIT = 8;
/** How many values the API gives at most. */
export const DIALOG_LIMIT = 100;

const STALE_MS = 30_000;

/** Every query of a report begins with this, so that new clicks can refresh them together. */
export const reportsKey = (accountId: string, link: ReportLink) => ["reports", accountId, link] as const;

/** Totals, series and hours of the week. The old ones stay until the new ones are there. */
export function useOverview(source: ReportSource, search: ReportSearch) {
  const query: ReportQuery = { ...toReportQuery(search), week_hours: true };
  return useQuery({
    queryKey: [...source.key, "overview", query],
    queryFn: ({ signal }) => source.ask(query, signal),
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  });
}

/**
 * The period before, to compare with; nothing of all time, before which there is none. It ends as late as the asking
 * day has come, so that it is worked out with every request.
 */
export function usePeriodBefore(source: ReportSource, search: ReportSearch) {
  return useQueryBefore(source, search, toReportQuery(search));
}

/** The same of one dimension, for those who look closer: of every card, it would double the server's work. */
export function useBreakdownBefore(source: ReportSource, search: ReportSearch, dimension: AccountDimension) {
  return useQueryBefore(source, search, { ...toReportQuery(search), group_by: [dimension], limit: DIALOG_LIMIT });
}

function useQueryBefore(source: ReportSource, search: ReportSearch, query: ReportQuery) {
  const name = chosenRange(search);
  const before = () => findPeriodBefore(query, Date.now(), name);
  return useQuery({
    // On its seventh day, a month has the days of a week, but not the same period before.
    queryKey: [...source.key, "before", name, query],
    queryFn: ({ signal }) => source.ask({ ...query, ...before() }, signal),
    enabled: before() !== null,
    staleTime: STALE_MS,
  });
}

interface BreakdownOptions {
  readonly limit?: number;
  /** Of each value; takes longer. */
  readonly withVisitors?: boolean;
}

export function useBreakdown(
  source: ReportSource,
  search: ReportSearch,
  dimension: AccountDimension,
  options: BreakdownOptions = {},
) {
  return useQuery({
    ...breakdownOf(source, search, dimension, options),
    // What is kept belongs to the same dimension: values of another one would stand under a wrong heading.
    placeholderData: (before, query) => (query?.queryKey[4] === dimension ? before : undefined),
  });
}

/** Those of the dimensions that some click has a value of; a tab for the others would only say "Unknown". */
export function useKnownDimensions(
  source: ReportSource,
  search: ReportSearch,
  dimensions: readonly AccountDimension[],
): readonly AccountDimension[] {
  return useQueries({
    queries: dimensions.map((dimension) => ({
      ...breakdownOf(source, search, dimension, {}),
      placeholderData: keepPreviousData,
    })),
    combine: (results) =>
      dimensions.filter((_, index) => results[index]?.data?.items.some(({ key }) => key !== null) ?? false),
  });
}

function breakdownOf(
  source: ReportSource,
  search: ReportSearch,
  dimension: AccountDimension,
  { limit = CARD_LIMIT, withVisitors = false }: BreakdownOptions,
) {
  // A breakdown has no course, so the way of cutting it must not make another question of it.
  const { granularity: _, ...query } = toReportQuery(search);
  const asked: ReportQuery = { ...query, limit, breakdown_visitors: withVisitors };
  return {
    queryKey: [...source.key, "breakdown", dimension, asked] as const,
    queryFn: () => askBreakdown(source, asked, dimension),
    staleTime: STALE_MS,
  };
}
