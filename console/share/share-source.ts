import { linkCards, nameValue } from "#console/reports/dimensions.ts";
import type { ReportQuery } from "#console/reports/report-query.ts";
import type { ReportSource } from "#console/reports/report-source.ts";
import { getSharedReport, type SharedLink } from "#contract/share-page.ts";
import { askShare } from "./ask-share.ts";

const noEvents = { data: [], error: null, refetch: () => {} };

// The names of rules are the owner's.
const cards = linkCards.filter(({ name }) => name !== "rules");

/** A report for everyone who has its address: nothing is live, nothing is downloaded, and its time zone is the owner's. */
export function shareSource(token: string, canFilter: boolean): ReportSource {
  return {
    key: ["reports", "share", token],
    link: token,
    cards,
    ask: (query, signal) =>
      askShare(getSharedReport, { params: { token }, query: toSharedQuery(query), ...(signal && { signal }) }),
    useNames: (dimension) => ({
      nameOf: (value) => nameValue(dimension, value),
      detailOf: () => null,
      isAsking: false,
    }),
    useEvents: () => noEvents,
    canFilter,
    // Where they are hidden, a filter would tell of them.
    hidesRare: !canFilter,
    hasOwnTimeZone: false,
  };
}

/** Whether values can be filtered by: where rare ones are left out, a filter would tell of them. */
export const canFilter = ({ min_visitors }: Pick<SharedLink, "min_visitors">): boolean => min_visitors <= 1;

type SharedQuery = NonNullable<Parameters<typeof askShare<typeof getSharedReport>>[1]["query"]>;

/** Without what a shared report knows nothing of. */
function toSharedQuery(query: ReportQuery): SharedQuery {
  const { timezone: _, link: __, tag: ___, tag_mode: ____, domain: _____, rule: ______, ...rest } = query;
  return rest as SharedQuery;
}
