import type { JournalStats } from "#clicks/journal/journal-writer.ts";
import { type Figures, series, seriesBy } from "#metrics/figures.ts";
import type { VisitCounts } from "#redirect/visit-counts.ts";

export interface RedirectCounts {
  readonly visits: VisitCounts;
  /** Requests that control could not be asked to answer. */
  readonly refusals: number;
  /** Requests through a proxy that the configuration does not know of. */
  readonly unknownProxyRequests: number;
}

export interface ClickFigures {
  readonly journal: JournalStats;
  readonly isGeoFileUnusable: boolean;
}

/** What a redirect process has counted; nothing here names a link or a visitor. Without short links there are no clicks. */
export const redirectFigures = (
  { visits: { ends, cacheHits, cacheMisses }, refusals, unknownProxyRequests }: RedirectCounts,
  clicks: ClickFigures | undefined,
): Figures => ({
  ...seriesBy("kurz_short_link_requests_total", "outcome", ends),
  ...seriesBy("kurz_link_cache_lookups_total", "result", { hit: cacheHits, miss: cacheMisses }),
  [series("kurz_control_refusals_total")]: refusals,
  [series("kurz_unknown_proxy_requests_total")]: unknownProxyRequests,
  ...(clicks && clickFigures(clicks)),
});

const clickFigures = ({ journal, isGeoFileUnusable }: ClickFigures): Figures => ({
  [series("kurz_clicks_journaled_total")]: journal.clicks,
  [series("kurz_clicks_waiting")]: journal.waitingClicks,
  [series("kurz_clicks_answered_early_total")]: journal.earlyClicks,
  ...seriesBy("kurz_clicks_dropped_total", "reason", journal.lost),
  [series("kurz_journal_sync_failures_total")]: journal.syncFailures,
  [series("kurz_geo_file_unusable")]: Number(isGeoFileUnusable),
});
