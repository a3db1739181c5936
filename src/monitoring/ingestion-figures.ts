import type { ConsumerStats, IngestionStats } from "#clicks/ingestion/ingestion.ts";
import { type Figures, series, seriesBy } from "#metrics/figures.ts";

/** How far the journal is carried into the engines. */
export const ingestionFigures = (stats: IngestionStats, now: number): Figures =>
  Object.assign(
    {
      ...seriesBy("kurz_clicks_dropped_total", "reason", { damaged_segment: stats.missingClicks }),
      [series("kurz_ingestion_failures_total")]: stats.failures,
      [series("kurz_journal_unreadable_segments")]: stats.unreadableSegments,
      [series("kurz_journal_texts")]: stats.texts,
    },
    ...stats.consumers.map((consumer) => consumerFigures(consumer, now)),
  );

function consumerFigures({ name, clicks, lag }: ConsumerStats, now: number): Figures {
  const labels = { consumer: name };
  return {
    [series("kurz_clicks_ingested_total", labels)]: clicks,
    ...(lag && {
      [series("kurz_journal_lag_bytes", labels)]: lag.bytes,
      // Computed on each read, so that it grows while a consumer hangs.
      [series("kurz_journal_lag_seconds", labels)]:
        lag.oldestAtMs === null ? 0 : Math.max(0, (now - lag.oldestAtMs) / 1000),
    }),
  };
}
