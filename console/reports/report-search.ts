import { type AccountDimension, accountDimensions } from "#contract/analytics.ts";
import { type Metric, metrics } from "./metrics.ts";
import { DEFAULT_RANGE } from "./named-ranges.ts";

/** By dimension, any of the values; the empty one stands for clicks without a value. */
type ReportFilters = { readonly [D in AccountDimension]?: readonly string[] };

/** The API's parameters of one value, as texts that may mean nothing: the API judges them, and the page shows how. */
const textNames = ["interval", "from", "to", "timezone", "granularity", "include_bots"] as const;
type TextName = (typeof textNames)[number];
type ReportTexts = { readonly [N in TextName]?: string };

/** Everything that a report shows is said in its address, with the names of the API; what is left out has a default. */
export interface ReportSearch extends ReportFilters, ReportTexts {
  /** Which of the headline figures the chart shows. */
  readonly metric?: Exclude<Metric, "clicks">;
  /** Tabs other than the first of their card. */
  readonly tab?: readonly AccountDimension[];
}

/** Takes an address as it may have been typed. What is the page's own is left out where it is not understood. */
export function readReportSearch(search: Record<string, unknown>): ReportSearch {
  return {
    ...readTexts(search),
    ...readTabs(search),
    ...readMetric(search),
    ...readFilters(search),
  };
}

/** A name that stands twice makes a text that the API refuses, as it refuses the repetition. */
function readTexts(search: Record<string, unknown>): ReportTexts {
  const given = textNames.filter((name) => search[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, [search[name]].flat().join(",")]));
}

function readMetric(search: Record<string, unknown>): Pick<ReportSearch, "metric"> {
  const metric = metrics.find((name) => name === search.metric);
  return metric === undefined || metric === "clicks" ? {} : { metric };
}

function readTabs(search: Record<string, unknown>): Pick<ReportSearch, "tab"> {
  const wanted = [search.tab].flat();
  const tab = accountDimensions.filter((dimension) => wanted.includes(dimension));
  return tab.length === 0 ? {} : { tab };
}

function readFilters(search: Record<string, unknown>): ReportFilters {
  const found = accountDimensions.flatMap((dimension) => {
    const texts = [search[dimension]].flat().filter((value) => typeof value === "string");
    return texts.length === 0 ? [] : [[dimension, [...new Set(texts)]]];
  });
  return Object.fromEntries(found);
}

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

/** What the address says something about. */
export const namesOf = (search: ReportSearch): readonly string[] =>
  Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : name));

const rangeFields: readonly string[] = ["interval", "from", "to"] satisfies TextName[];

/** The way of cutting goes with the old range: it may not fit the new one. */
export function withRange(search: ReportSearch, range: Pick<ReportSearch, "interval" | "from" | "to">): ReportSearch {
  const { interval: _, from: __, to: ___, granularity: ____, ...rest } = search;
  return { ...rest, ...(range.interval === DEFAULT_RANGE ? {} : range) };
}

/** Without the parameters that the API refused; those of the range only mean something together. */
export function withoutRefused(search: ReportSearch, refused: readonly string[]): ReportSearch {
  const left: ReportSearch = Object.fromEntries(Object.entries(search).filter(([name]) => !refused.includes(name)));
  return refused.some((name) => rangeFields.includes(name)) ? withRange(left, {}) : left;
}
