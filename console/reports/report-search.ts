import { readDayRange } from "#console/ui/days.ts";
import {
  type AccountDimension,
  type AnalyticsQuery,
  accountDimensions,
  fixedValues,
  type Granularity,
  granularities,
  intervals,
} from "#contract/analytics.ts";
import { isTimeZone } from "./time-zone.ts";

export type Interval = NonNullable<AnalyticsQuery["interval"]>;

/** By dimension, any of the values; the empty one stands for clicks without a value. */
type ReportFilters = { readonly [D in AccountDimension]?: readonly string[] };

/** Everything that a report shows is said in its address, with the names of the API; what is left out has a default. */
export interface ReportSearch extends ReportFilters {
  readonly interval?: Interval;
  /** Dates; `to` is exclusive, as in the API. */
  readonly from?: string;
  readonly to?: string;
  readonly timezone?: string;
  readonly granularity?: Granularity;
  readonly include_bots?: true;
  readonly metric?: "unique_visitors";
  /** Tabs other than the first of their card. */
  readonly tab?: readonly AccountDimension[];
}

export const DEFAULT_INTERVAL: Interval = "30d";

const VALUES_MAX = 20;
const VALUE_LENGTH_MAX = 255;

/** Takes an address as it may have been typed: whatever is not understood is left out. */
export function readReportSearch(search: Record<string, unknown>): ReportSearch {
  const interval = intervals.find((name) => name === search.interval);
  const range = readDayRange(search);
  const granularity = granularities.find((name) => name === search.granularity);
  const { timezone } = search;
  return {
    ...(range ?? (interval && interval !== DEFAULT_INTERVAL && { interval })),
    ...(typeof timezone === "string" && isTimeZone(timezone) && { timezone }),
    ...(granularity && { granularity }),
    ...(String(search.include_bots) === "true" && { include_bots: true }),
    ...readTabs(search),
    ...(search.metric === "unique_visitors" && { metric: "unique_visitors" }),
    ...readFilters(search),
  };
}

function readTabs(search: Record<string, unknown>): Pick<ReportSearch, "tab"> {
  const wanted = [search.tab].flat();
  const tab = accountDimensions.filter((dimension) => wanted.includes(dimension));
  return tab.length === 0 ? {} : { tab };
}

function readFilters(search: Record<string, unknown>): ReportFilters {
  const found = accountDimensions.flatMap((dimension) => {
    const texts = [search[dimension]].flat().filter((value) => typeof value === "string");
    const kept = [...new Set(texts)].filter((text) => canBeValue(dimension, text)).slice(0, VALUES_MAX);
    return kept.length === 0 ? [] : [[dimension, kept]];
  });
  return Object.fromEntries(found);
}

const fixed: { readonly [D in AccountDimension]?: readonly string[] } = fixedValues;
const canBeValue = (dimension: AccountDimension, text: string): boolean =>
  text === "" || (fixed[dimension]?.includes(text) ?? text.length <= VALUE_LENGTH_MAX);

export const valuesOf = (search: ReportSearch, dimension: AccountDimension): readonly string[] =>
  search[dimension] ?? [];

/** The filters alone, in the order of the dimensions. */
export const filtersOf = (search: ReportSearch): readonly (readonly [AccountDimension, readonly string[]])[] =>
  accountDimensions
    .map((dimension) => [dimension, valuesOf(search, dimension)] as const)
    .filter(([, values]) => values.length > 0);

/** With the value chosen where it was not, and without it where it was. */
export function toggleFilter(search: ReportSearch, dimension: AccountDimension, value: string): ReportSearch {
  const before = valuesOf(search, dimension);
  const values = before.includes(value) ? before.filter((item) => item !== value) : [...before, value];
  const { [dimension]: _, ...rest } = search;
  return values.length === 0 ? rest : { ...rest, [dimension]: values };
}

export const withoutFilters = (search: ReportSearch): ReportSearch =>
  Object.fromEntries(
    Object.entries(search).filter(([name]) => !accountDimensions.some((dimension) => dimension === name)),
  );
