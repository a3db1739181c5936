import { locale } from "#console/ui/locale.ts";
import { reportTexts } from "#texts/reports.ts";
import type { SeriesPoint } from "./report-query.ts";
import type { ReportEvent } from "./report-source.ts";

const texts = reportTexts.events;
const list = new Intl.ListFormat(locale, { type: "unit" });

/** In words; nothing for what has no effect on clicks. */
export function describeEvent({ action, fields }: Pick<ReportEvent, "action" | "fields">): string | null {
  const changes = action === "link.updated" ? fields.flatMap((name) => texts.changes[name] ?? []) : [];
  return texts.actions[action] ?? (changes.length > 0 ? list.format(changes) : null);
}

export interface Annotation {
  /** The bucket of the series that it falls into. */
  readonly index: number;
  readonly words: readonly string[];
}

/** Events by the bucket they fall into, in the order of time; equal ones of a bucket are told once. */
export function toAnnotations(
  events: readonly ReportEvent[],
  series: readonly Pick<SeriesPoint, "start">[],
): readonly Annotation[] {
  const starts = series.map(({ start }) => Date.parse(start));
  const found = new Map<number, Set<string>>();
  for (const event of events.toReversed()) {
    const words = describeEvent(event);
    const index = starts.findLastIndex((start) => start <= Date.parse(event.at));
    if (words === null || index < 0) continue;
    found.set(index, (found.get(index) ?? new Set()).add(words));
  }
  return [...found].map(([index, words]) => ({ index, words: [...words] })).toSorted((a, b) => a.index - b.index);
}
