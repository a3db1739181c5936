import type { ComponentType } from "react";
import type { AccountDimension } from "#contract/analytics.ts";
import type { CardGroup } from "./dimensions.ts";
import type { Period, ReportData, ReportLink, ReportQuery } from "./report-query.ts";

/** How the values of a list are called. */
export interface ValueNames {
  readonly nameOf: (value: string | null) => string;
  /** What stands beside the name. */
  readonly detailOf: (value: string | null) => string | null;
  readonly isAsking: boolean;
}

/** Something that happened to a link, and how it is called in the API. */
export interface ReportEvent {
  readonly at: string;
  readonly action: string;
  readonly fields: readonly string[];
}

interface ReportEvents {
  readonly data: readonly ReportEvent[] | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** Where a report gets its figures from: the console, or a page that was shared. Two of its parts are hooks. */
export interface ReportSource {
  /** The queries of a report begin with this, so that new clicks can refresh them together. */
  readonly key: readonly [name: string, owner: string, link: ReportLink];
  readonly link: ReportLink;
  readonly cards: readonly CardGroup[];
  readonly ask: (query: ReportQuery, signal?: AbortSignal) => Promise<ReportData>;
  /** Left out where nothing can be downloaded. */
  readonly askCsv?: (query: ReportQuery) => Promise<Blob>;
  readonly useNames: (dimension: AccountDimension, values: readonly string[]) => ValueNames;
  readonly useEvents: (link: ReportLink, period: Period) => ReportEvents;
  /** Whether a click on a value makes it a filter. */
  readonly canFilter: boolean;
  /** Whether values with few visitors are left out: their clicks are listed as those of others. */
  readonly hidesRare?: boolean;
  /** Whether everyone may choose their time zone. */
  readonly hasOwnTimeZone: boolean;
  /** Clicks as they happen. */
  readonly Live?: ComponentType;
  /** Above the lists. */
  readonly Splits?: ComponentType;
  /** At the end of a row. */
  readonly RowAction?: ComponentType<RowActionProps>;
}

export interface RowActionProps {
  readonly dimension: AccountDimension;
  readonly value: string;
  readonly name: string;
}
