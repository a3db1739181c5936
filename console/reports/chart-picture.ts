import { formatCount } from "#console/ui/format.ts";
import { reportTexts as texts } from "#texts/reports.ts";
import { countTicks, spreadIndexes } from "./axis.ts";
import type { ChartPicture } from "./chart-image.ts";
import { formatCutPeriod, formatPeriod, formatTick } from "./dates.ts";
import type { Metric } from "./metrics.ts";
import { findProgress } from "./progress.ts";
import type { Course } from "./series-view.tsx";

const LABELS_MAX = 8;

/** What a picture of a report's chart shows. */
export function toChartPicture(title: string, metric: Metric, now: Course, before: Course | undefined): ChartPicture {
  const { granularity, timezone } = now.period;
  const values = now.series.map((point) => point[metric]);
  const earlier = before?.period.granularity === granularity ? before.series.map((point) => point[metric]) : [];
  const shown = [...values, ...earlier.slice(0, values.length)].map((value) => value ?? 0);
  const period = formatPeriod(now.period);
  return {
    title: texts.picture.title(title, texts.metrics[metric].label),
    note:
      earlier.length > 0 && before
        ? texts.picture.noteWithBefore(period, timezone, formatCutPeriod(before.period))
        : texts.picture.note(period, timezone),
    values,
    earlier,
    progress: findProgress(now.series, now.period, Date.now()),
    ticks: countTicks(Math.max(0, ...shown)).map((value) => ({ value, label: formatCount(value) })),
    labels: spreadIndexes(values.length, LABELS_MAX).map((index) => ({
      index,
      text: formatTick(now.series[index]?.start ?? now.period.from, granularity, timezone),
    })),
  };
}
